import { useText } from '../i18n/index.js';
import { Link } from './link.js';

/** Set by the server when it runs the demo. */
const IS_DEMO = document.querySelector('meta[name="foyer:demo"]') !== null;

/** A fan who books sees nothing but the booking, and a promoter is there already. */
const HIDDEN_AT = /^\/(?:concerts\/[^/]+\/.|checkout\/|operator)/;

/** In the demo: links to the promoter's part and the API reference. */
export function Footer({ path }: { readonly path: string }) {
  const { common } = useText();
  if (!IS_DEMO || HIDDEN_AT.test(path)) return null;
  return (
    <footer className="footer">
      <p className="soft">{common.demo}</p>
      <nav aria-label={common.about}>
        <Link href="/operator">{common.forPromoters}</Link>
        <a href="/docs">{common.apiReference}</a>
      </nav>
    </footer>
  );
}
