import { useRoutes, type RouteObject } from 'react-router';
import { later } from './later.tsx';
import { SignInPage } from './access/sign-in/SignInPage.tsx';

const loadSignedIn = () => import('./signed-in.tsx');

// Preloads the code needed after the sign-in.
addEventListener('load', () => void setTimeout(() => void loadSignedIn(), 2_000), { once: true });

const routes: RouteObject[] = [
  { path: '/signin', element: <SignInPage /> },
  { path: '/setup', element: later(async () => (await import('./access/sign-in/SetUpPage.tsx')).SetUpPage) },
  {
    path: '/password',
    element: later(async () => (await import('./access/sign-in/PasswordPage.tsx')).PasswordPage),
  },
  {
    path: '/second-factor',
    element: later(async () => (await import('./access/factors/SecondFactorPage.tsx')).SecondFactorPage),
  },
  { path: '/*', element: later(async () => (await loadSignedIn()).SignedInRoutes) },
];

/** The page of this address. A sign-in page loads no more than that. */
export const Routes = () => useRoutes(routes);
