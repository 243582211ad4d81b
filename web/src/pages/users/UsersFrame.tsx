import { Outlet } from 'react-router';
import { SubNav } from '../../ui/shell/SubNav.tsx';
import { away, breakGlass, grants, groups, users, servers, stops, words } from './words/words.ts';

/** People, and what belongs to them. */
export function UsersFrame() {
  return (
    <>
      <SubNav label={words.nav} links={links} />
      <Outlet />
    </>
  );
}

const links = [
  { to: '/people', text: users.title, isExact: true },
  { to: '/people/groups', text: groups.title },
  { to: '/people/absences', text: away.title },
  { to: '/people/servers', text: servers.title },
  { to: '/people/grants', text: grants.title },
  { to: '/people/stops', text: stops.title },
  { to: '/people/break-glass', text: breakGlass.title },
];
