import { Outlet } from 'react-router';
import { SubNav } from '../../ui/SubNav.tsx';
import { words } from './words.ts';

/** People, and what belongs to them. */
export function PeopleFrame() {
  return (
    <>
      <SubNav label={words.nav} links={links} />
      <Outlet />
    </>
  );
}

const links = [
  { to: '/people', text: words.people, isExact: true },
  { to: '/people/groups', text: words.groups },
  { to: '/people/absences', text: words.away },
  { to: '/people/servers', text: words.servers },
  { to: '/people/grants', text: words.grants },
  { to: '/people/emergencies', text: words.emergencies },
];
