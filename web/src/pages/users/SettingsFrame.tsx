import { Outlet } from 'react-router';
import { SubNav } from '../../ui/shell/SubNav.tsx';
import { places } from '../../ui/words/words.ts';
import { away, breakGlass, grants, groups, lookBacks, users, servers, spaces, stops, webhooks } from './words/words.ts';

/** The people, the servers, and what lasts longer than one request. */
export function SettingsFrame() {
  return (
    <>
      <SubNav label={places.settings} links={links} />
      <Outlet />
    </>
  );
}

const links = [
  { to: '/settings/people', text: users.title },
  { to: '/settings/groups', text: groups.title },
  { to: '/settings/spaces', text: spaces.title },
  { to: '/settings/absences', text: away.title },
  { to: '/settings/servers', text: servers.title },
  { to: '/settings/grants', text: grants.title },
  { to: '/settings/stops', text: stops.title },
  { to: '/settings/webhooks', text: webhooks.title },
  { to: '/settings/overrides', text: breakGlass.title },
  { to: '/settings/look-back', text: lookBacks.title },
];
