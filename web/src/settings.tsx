import { useRoutes, type RouteObject } from 'react-router';
import { later } from './later.tsx';
import { NotFoundPage } from './pages/not-found/NotFoundPage.tsx';
import { SettingsFrame } from './pages/users/SettingsFrame.tsx';

const loadRolePages = () => import('./pages/users/roles/role-pages.ts');

/** Each page of the settings, loaded when someone goes there. */
const pages: RouteObject[] = [
  {
    path: '/settings/people',
    element: later(async () => (await import('./pages/users/users/UsersPage.tsx')).UsersPage),
  },
  {
    path: '/settings/people/new',
    element: later(async () => (await import('./pages/users/users/NewUserPage.tsx')).NewUserPage),
  },
  {
    path: '/settings/people/:id',
    element: later(async () => (await import('./pages/users/users/UserPage.tsx')).UserPage),
  },
  {
    path: '/settings/groups',
    element: later(async () => (await import('./pages/users/groups/GroupsPage.tsx')).GroupsPage),
  },
  {
    path: '/settings/groups/:id',
    element: later(async () => (await import('./pages/users/groups/GroupPage.tsx')).GroupPage),
  },
  {
    path: '/settings/spaces',
    element: later(async () => (await import('./pages/users/spaces/SpacesPage.tsx')).SpacesPage),
  },
  {
    path: '/settings/spaces/:id',
    element: later(async () => (await import('./pages/users/spaces/SpacePage.tsx')).SpacePage),
  },
  {
    path: '/settings/roles',
    element: later(async () => (await loadRolePages()).RolesPage),
  },
  {
    path: '/settings/roles/:id',
    element: later(async () => (await loadRolePages()).RolePage),
  },
  {
    path: '/settings/absences',
    element: later(async () => (await import('./pages/users/absences/AbsencesPage.tsx')).AbsencesPage),
  },
  {
    path: '/settings/overrides',
    element: later(async () => (await import('./pages/users/overview/BreakGlassPage.tsx')).BreakGlassPage),
  },
  {
    path: '/settings/look-back',
    element: later(async () => (await import('./pages/users/overview/LookBackPage.tsx')).LookBackPage),
  },
  {
    path: '/settings/grants',
    element: later(async () => (await import('./pages/users/overview/GrantsPage.tsx')).GrantsPage),
  },
  {
    path: '/settings/stops',
    element: later(async () => (await import('./pages/users/overview/StopsPage.tsx')).StopsPage),
  },
  {
    path: '/settings/webhooks',
    element: later(async () => (await import('./pages/users/webhooks/WebhooksPage.tsx')).WebhooksPage),
  },
  {
    path: '/settings/system',
    element: later(async () => (await import('./pages/users/system/SystemPage.tsx')).SystemPage),
  },
  {
    path: '/settings/servers',
    element: later(async () => (await import('./pages/users/servers/ServersPage.tsx')).ServersPage),
  },
  {
    path: '/settings/workloads',
    element: later(async () => (await import('./pages/users/workloads/WorkloadsPage.tsx')).WorkloadsPage),
  },
  {
    path: '/settings/servers/:id',
    element: later(async () => (await import('./pages/users/servers/ServerPage.tsx')).ServerPage),
  },
];

const routes: RouteObject[] = [
  {
    element: <SettingsFrame />,
    children: pages.map((page) => ({ ...page, path: page.path?.replace('/settings/', '') }) as RouteObject),
  },
  { path: '*', element: <NotFoundPage /> },
];

/** What is behind /settings: a file of its own, so that the inbox stays light. */
export const SettingsRoutes = () => useRoutes(routes);
