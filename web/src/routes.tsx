import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { InboxPage } from './pages/inbox/InboxPage.tsx';
import { NotFoundPage } from './pages/not-found/NotFoundPage.tsx';
import { SignInPage } from './pages/sign-in/SignInPage.tsx';
import { BrokenPage } from './ui/shell/BrokenPage.tsx';
import { FirstPage } from './ui/shell/FirstPage.tsx';
import { SignedInShell } from './ui/shell/SignedInShell.tsx';

const loadRequestPage = async () => (await import('./pages/request/RequestPage.tsx')).RequestPage;

/** What most people never open is loaded when someone goes there, so that the inbox stays light. */
const later = (load: () => Promise<ComponentType>): NonNullable<RouteObject['lazy']> => ({ Component: load });

const settingsRoutes: RouteObject[] = [
  { path: '/settings/people', lazy: later(async () => (await import('./pages/users/users/UsersPage.tsx')).UsersPage) },
  {
    path: '/settings/people/new',
    lazy: later(async () => (await import('./pages/users/users/NewUserPage.tsx')).NewUserPage),
  },
  {
    path: '/settings/people/:id',
    lazy: later(async () => (await import('./pages/users/users/UserPage.tsx')).UserPage),
  },
  {
    path: '/settings/groups',
    lazy: later(async () => (await import('./pages/users/groups/GroupsPage.tsx')).GroupsPage),
  },
  {
    path: '/settings/groups/:id',
    lazy: later(async () => (await import('./pages/users/groups/GroupPage.tsx')).GroupPage),
  },
  {
    path: '/settings/absences',
    lazy: later(async () => (await import('./pages/users/absences/AbsencesPage.tsx')).AbsencesPage),
  },
  {
    path: '/settings/overrides',
    lazy: later(async () => (await import('./pages/users/overview/BreakGlassPage.tsx')).BreakGlassPage),
  },
  {
    path: '/settings/grants',
    lazy: later(async () => (await import('./pages/users/overview/GrantsPage.tsx')).GrantsPage),
  },
  {
    path: '/settings/stops',
    lazy: later(async () => (await import('./pages/users/overview/StopsPage.tsx')).StopsPage),
  },
  {
    path: '/settings/webhooks',
    lazy: later(async () => (await import('./pages/users/webhooks/WebhooksPage.tsx')).WebhooksPage),
  },
  {
    path: '/settings/servers',
    lazy: later(async () => (await import('./pages/users/servers/ServersPage.tsx')).ServersPage),
  },
  {
    path: '/settings/servers/:id',
    lazy: later(async () => (await import('./pages/users/servers/ServerPage.tsx')).ServerPage),
  },
];

const policyRoutes: RouteObject[] = [
  { path: '/policies', lazy: later(async () => (await import('./pages/policies/PoliciesPage.tsx')).PoliciesPage) },
  {
    path: '/new-policy',
    lazy: later(async () => (await import('./pages/policies/draft/NewPolicyPage.tsx')).NewPolicyPage),
  },
  { path: '/policies/:name', lazy: later(async () => (await import('./pages/policies/PolicyPage.tsx')).PolicyPage) },
  {
    path: '/policies/:name/edit',
    lazy: later(async () => (await import('./pages/policies/draft/EditPolicyPage.tsx')).EditPolicyPage),
  },
];

const auditRoutes: RouteObject[] = [
  { path: '/audit', lazy: later(async () => (await import('./pages/audit/AuditPage.tsx')).AuditPage) },
  { path: '/audit/holds', lazy: later(async () => (await import('./pages/audit/HoldsPage.tsx')).HoldsPage) },
  { path: '/audit/log', lazy: later(async () => (await import('./pages/audit/LogPage.tsx')).LogPage) },
  {
    path: '/audit/requests/:id',
    lazy: later(async () => (await import('./pages/audit/record/RecordPage.tsx')).RecordPage),
  },
  { path: '/audit/:question', lazy: later(async () => (await import('./pages/audit/ReportPage.tsx')).ReportPage) },
];

export const makeRouter = () =>
  createBrowserRouter([
    {
      errorElement: <BrokenPage />,
      hydrateFallbackElement: <></>,
      children: [
        { path: '/signin', element: <SignInPage /> },
        { path: '/setup', lazy: later(async () => (await import('./pages/set-up/SetUpPage.tsx')).SetUpPage) },
        {
          path: '/password',
          lazy: later(async () => (await import('./pages/password/PasswordPage.tsx')).PasswordPage),
        },
        {
          element: <SignedInShell />,
          children: [
            { path: '/', element: <FirstPage /> },
            { path: '/inbox', element: <InboxPage key="inbox" /> },
            { path: '/history', element: <InboxPage key="history" isHistory /> },
            {
              path: '/inbox/together',
              lazy: later(async () => (await import('./pages/inbox/together/TogetherPage.tsx')).TogetherPage),
            },
            { path: '/requests/:id', lazy: later(loadRequestPage) },
            { path: '/settings', element: <Navigate to="/settings/people" replace /> },
            {
              lazy: later(async () => (await import('./pages/users/SettingsFrame.tsx')).SettingsFrame),
              children: settingsRoutes,
            },
            {
              path: '/insights',
              lazy: later(async () => (await import('./pages/insights/InsightsPage.tsx')).InsightsPage),
            },
            { path: '/start', lazy: later(async () => (await import('./pages/start/StartPage.tsx')).StartPage) },
            ...policyRoutes,
            ...auditRoutes,
            {
              path: '/account',
              lazy: later(async () => (await import('./pages/account/AccountPage.tsx')).AccountPage),
            },
            { path: '*', element: <NotFoundPage /> },
          ],
        },
      ],
    },
  ]);
