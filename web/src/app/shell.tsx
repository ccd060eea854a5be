import type { ReactNode } from 'react';
import { type Lang, LANG_NAMES, LANGS, langStore, useLang, useText } from '../i18n/index.js';
import { PlaceBar } from '../place-bar/place-bar.js';
import { signOut, useAccount } from '../session/index.js';
import { Button } from '../ui/index.js';
import { ErrorBoundary } from './error-boundary.js';
import { Footer } from './footer.js';
import { Link } from './link.js';
import { navigate, signInPath, useRoute } from './router.js';
import { toast, Toasts } from './toasts.js';

function LanguageSwitch() {
  const lang = useLang();
  const { common } = useText();
  const others = LANGS.filter((each): each is Lang => each !== lang);
  return (
    <div role="group" aria-label={common.language}>
      {others.map((other) => (
        <button
          key={other}
          type="button"
          className="header-link"
          lang={other}
          onClick={() => langStore.set(other)}
        >
          {LANG_NAMES[other]}
        </button>
      ))}
    </div>
  );
}

function AccountLinks() {
  const account = useAccount();
  const { common } = useText();
  const { address, path } = useRoute();
  if (!account) {
    const isSigningIn = path === '/sign-in' || path === '/sign-up';
    return (
      <Link className="header-link" href={isSigningIn ? address : signInPath(address)}>
        {common.signIn}
      </Link>
    );
  }
  return (
    <>
      {account.user.role === 'OPERATOR' && (
        <Link
          className="header-link"
          href="/operator"
          aria-current={path.startsWith('/operator') ? 'page' : undefined}
        >
          {common.operator}
        </Link>
      )}
      <Link className="header-link" href="/mine" aria-current={path === '/mine' ? 'page' : undefined}>
        {common.myTickets}
      </Link>
      <button
        type="button"
        className="header-link"
        title={common.signedInAs(account.user.name)}
        onClick={() => {
          signOut();
          navigate('/');
          toast(common.signedOut);
        }}
      >
        {common.signOut}
      </button>
    </>
  );
}

function Crashed() {
  const { common } = useText();
  return (
    <section className="narrow stack">
      <h1 className="page-title">{common.crashed}</h1>
      <p>{common.crashedHint}</p>
      <Button onClick={() => location.reload()}>{common.reload}</Button>
    </section>
  );
}

/** The frame of every page: header, main area and toasts. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { common } = useText();
  const { path } = useRoute();
  return (
    <>
      <a className="skip-link" href="#main">
        {common.skipToContent}
      </a>
      <header className="header">
        <div className="header-inner">
          <Link className="brand" href="/" aria-label={`${common.product}: ${common.home}`}>
            <span className="brand-mark" aria-hidden="true" />
            <span className="brand-name">{common.product}</span>
          </Link>
          <nav className="header-nav">
            <AccountLinks />
            <LanguageSwitch />
          </nav>
        </div>
        <PlaceBar />
        <Toasts />
      </header>
      <main id="main" className="main" tabIndex={-1}>
        {/* The key resets a crashed page on navigation. */}
        <ErrorBoundary key={path} fallback={<Crashed />}>
          {children}
        </ErrorBoundary>
      </main>
      <Footer path={path} />
    </>
  );
}
