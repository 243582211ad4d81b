import { useRoutes, type RouteObject } from 'react-router';
import { later } from './later.tsx';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { SettingsFrame } from './settings/SettingsFrame.tsx';

const loadRolePages = () => import('./people/roles/RolePage.tsx');

/** Pages of the settings, loaded on demand. */
const pages: RouteObject[] = [
  {
    path: '/settings/people',
    element: later(async () => (await import('./people/users/UsersPage.tsx')).UsersPage),
  },
  {
    path: '/settings/people/new',
    element: later(async () => (await import('./people/users/NewUserPage.tsx')).NewUserPage),
  },
  {
    path: '/settings/people/:id',
    element: later(async () => (await import('./people/users/UserPage.tsx')).UserPage),
  },
  {
    path: '/settings/groups',
    element: later(async () => (await import('./people/groups/GroupsPage.tsx')).GroupsPage),
  },
  {
    path: '/settings/groups/:id',
    element: later(async () => (await import('./people/groups/GroupPage.tsx')).GroupPage),
  },
  {
    path: '/settings/spaces',
    element: later(async () => (await import('./people/spaces/SpacesPage.tsx')).SpacesPage),
  },
  {
    path: '/settings/spaces/:id',
    element: later(async () => (await import('./people/spaces/SpacePage.tsx')).SpacePage),
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
    element: later(async () => (await import('./people/delegations/AbsencesPage.tsx')).AbsencesPage),
  },
  {
    path: '/settings/overrides',
    element: later(async () => (await import('./requests/deliberation/BreakGlassPage.tsx')).BreakGlassPage),
  },
  {
    path: '/settings/look-back',
    element: later(async () => (await import('./requests/deliberation/LookBackPage.tsx')).LookBackPage),
  },
  {
    path: '/settings/grants',
    element: later(async () => (await import('./requests/grants/GrantsPage.tsx')).GrantsPage),
  },
  {
    path: '/settings/stops',
    element: later(async () => (await import('./requests/stops/StopsPage.tsx')).StopsPage),
  },
  {
    path: '/settings/webhooks',
    element: later(async () => (await import('./notify/webhooks/WebhooksPage.tsx')).WebhooksPage),
  },
  {
    path: '/settings/system',
    element: later(async () => (await import('./platform/system/SystemPage.tsx')).SystemPage),
  },
  {
    path: '/settings/providers',
    element: later(async () => (await import('./connect/ProvidersPage.tsx')).ProvidersPage),
  },
  {
    path: '/settings/servers',
    element: later(async () => (await import('./access/keys/ServersPage.tsx')).ServersPage),
  },
  {
    path: '/settings/workloads',
    element: later(async () => (await import('./access/workloads/WorkloadsPage.tsx')).WorkloadsPage),
  },
  {
    path: '/settings/servers/:id',
    element: later(async () => (await import('./access/keys/ServerPage.tsx')).ServerPage),
  },
];

const routes: RouteObject[] = [
  {
    element: <SettingsFrame />,
    children: pages.map((page) => ({ ...page, path: page.path?.replace('/settings/', '') }) as RouteObject),
  },
  { path: '*', element: <NotFoundPage /> },
];

/** Pages below /settings: a separate file, so that the inbox stays light. */
export const SettingsRoutes = () => useRoutes(routes);
