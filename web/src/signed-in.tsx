import './ui/mantine-later.css';
import { later } from './later.tsx';
import { lazy, Suspense } from 'react';
import { Navigate, useRoutes, type RouteObject } from 'react-router';
import { SplitFrame } from './requests/inbox/InboxPage.tsx';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { MissingProof } from './ui/Notice.tsx';
import { FirstPage, SignedInShell } from './shell/SignedInShell.tsx';

const loadRequestPage = async () => (await import('./requests/decide/RequestPage.tsx')).RequestPage;

// Preloads the page that most people open next.
setTimeout(() => void loadRequestPage(), 2_000);

const FreshFactors = lazy(async () => ({
  default: (await import('./access/factors/FreshFactor.tsx')).FreshFactorsOrProblem,
}));
const ProofHere = (props: { error: unknown; onDone: () => void }) => (
  <Suspense>
    <FreshFactors {...props} />
  </Suspense>
);

const policyRoutes: RouteObject[] = [
  { path: '/policies', element: later(async () => (await import('./policies/PoliciesPage.tsx')).PoliciesPage) },
  {
    path: '/new-policy',
    element: later(async () => (await import('./policies/NewPolicyPage.tsx')).NewPolicyPage),
  },
  {
    path: '/policies/:name',
    element: later(async () => (await import('./policies/PolicyPage.tsx')).PolicyPage),
  },
  {
    path: '/policies/:name/edit',
    element: later(async () => (await import('./policies/EditPolicyPage.tsx')).EditPolicyPage),
  },
];

const auditRoutes: RouteObject[] = [
  { path: '/audit', element: later(async () => (await import('./audit/log/AuditPage.tsx')).AuditPage) },
  { path: '/audit/holds', element: later(async () => (await import('./audit/log/HoldsPage.tsx')).HoldsPage) },
  { path: '/audit/log', element: later(async () => (await import('./audit/log/LogPage.tsx')).LogPage) },
  {
    path: '/audit/requests/:id',
    element: later(async () => (await import('./audit/log/RecordPage.tsx')).RecordPage),
  },
  {
    path: '/audit/:question',
    element: later(async () => (await import('./audit/log/ReportPage.tsx')).ReportPage),
  },
];

const routes: RouteObject[] = [
  {
    element: (
      <MissingProof value={ProofHere}>
        <SignedInShell />
      </MissingProof>
    ),
    children: [
      { path: '/', element: <FirstPage /> },
      {
        element: <SplitFrame />,
        children: [
          { path: '/inbox', element: null }, // the frame itself shows the lists
          { path: '/history', element: null },
          { path: '/requests/:id', element: later(loadRequestPage) },
        ],
      },
      {
        path: '/inbox/together',
        element: later(async () => (await import('./requests/together/TogetherPage.tsx')).TogetherPage),
      },
      {
        path: '/inbox/decline',
        element: later(async () => (await import('./requests/together/DeclineAllPage.tsx')).DeclineAllPage),
      },
      { path: '/settings', element: <Navigate to="/settings/people" replace /> },
      { path: '/settings/*', element: later(async () => (await import('./settings.tsx')).SettingsRoutes) },
      {
        path: '/insights',
        element: later(async () => (await import('./audit/insights/InsightsPage.tsx')).InsightsPage),
      },
      {
        path: '/start',
        element: later(async () => (await import('./platform/start/StartPage.tsx')).StartPage),
      },
      ...policyRoutes,
      ...auditRoutes,
      {
        path: '/account',
        element: later(async () => (await import('./access/account/AccountPage.tsx')).AccountPage),
      },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

/** Every page behind the sign-in. Its frame and the inbox are loaded together, all others on demand. */
export const SignedInRoutes = () => useRoutes(routes);
