import { Link } from './link.js';
import { PageTitle } from './page-title.js';
import { useText } from '../i18n/index.js';

export function NotFound() {
  const { common } = useText();
  return (
    <section className="narrow stack">
      <PageTitle title={common.pageNotFound}>{common.pageNotFound}</PageTitle>
      <p>{common.pageNotFoundHint}</p>
      <Link className="button button-primary" href="/">
        {common.toHome}
      </Link>
    </section>
  );
}
