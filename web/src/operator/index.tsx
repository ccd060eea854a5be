import { PageTitle } from '../app/page-title.js';
import { useText } from '../i18n/index.js';

/** The promoter's pages, loaded on their own. */
export default function Operator() {
  const { common } = useText();
  return <PageTitle title={common.operator}>{common.operator}</PageTitle>;
}
