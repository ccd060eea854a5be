import { lazy, type ReactNode, Suspense } from 'react';
import { Home } from '../pages/home.js';
import { NotFound } from '../pages/not-found.js';
import { SignIn } from '../pages/sign-in.js';
import { Spinner } from '../ui/index.js';
import { match, useRoute } from './router.js';

/** A fan's browser does not load the promoter's part. */
const Operator = lazy(() => import('../operator/index.js'));

type Params = Readonly<Record<string, string>>;

/** Every page by its address; the first that matches is shown. */
const PAGES: readonly (readonly [pattern: string, page: (params: Params) => ReactNode])[] = [
  ['/', () => <Home />],
  ['/sign-in', () => <SignIn isNew={false} />],
  ['/sign-up', () => <SignIn isNew />],
];

export function Pages() {
  const { path } = useRoute();
  if (path === '/operator' || path.startsWith('/operator/')) {
    return (
      <Suspense fallback={<Spinner />}>
        <Operator />
      </Suspense>
    );
  }
  for (const [pattern, page] of PAGES) {
    const params = match(pattern, path);
    if (params) return page(params);
  }
  return <NotFound />;
}
