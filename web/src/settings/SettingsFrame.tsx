import { Link, Outlet, useLocation } from 'react-router';
import { LineNav } from '../ui/LineNav.tsx';
import page from '../ui/Page.module.css';
import tabs from '../shell/Tabs.module.css';
import bar from '../shell/SubNav.module.css';
import { SubNav } from '../shell/SubNav.tsx';
import { isOfPolicies, WaitingChanges } from '../people/changes/WaitingChanges.tsx';
import { places } from '../ui/words/words.ts';
import {
  away,
  breakGlass,
  grants,
  groups,
  lookBacks,
  providers,
  purposes,
  roles,
  servers,
  spaces,
  stops,
  system,
  users,
  webhooks,
} from './words/words.ts';

/** Navigation for people, servers and lasting settings: by purpose, then by page. */
export function SettingsFrame() {
  const { pathname } = useLocation();
  const current = parts.find(({ links }) => links.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`)));
  return (
    <>
      <LineNav label={places.settings} className={`${tabs.tabs} ${bar.bar}`}>
        {parts.map((part) => (
          <Link
            key={part.text}
            to={part.links[0].to}
            className={tabs.tab}
            {...(part === current && { 'aria-current': part.links.length === 1 ? 'page' : 'true' })}
          >
            {part.text}
          </Link>
        ))}
      </LineNav>
      {current && current.links.length > 1 && <SubNav label={current.text} links={current.links} />}
      <div className={page.stack}>
        <WaitingChanges isShown={({ tool }) => !isOfPolicies(tool)} />
        <Outlet />
      </div>
    </>
  );
}

interface PageLink {
  to: string;
  text: string;
}

const parts: { text: string; links: [PageLink, ...PageLink[]] }[] = [
  {
    text: users.title,
    links: [
      { to: '/settings/people', text: users.title },
      { to: '/settings/groups', text: groups.title },
      { to: '/settings/spaces', text: spaces.title },
      { to: '/settings/roles', text: roles.title },
      { to: '/settings/absences', text: away.title },
    ],
  },
  {
    text: servers.title,
    links: [
      { to: '/settings/servers', text: servers.title },
      { to: '/settings/workloads', text: purposes.workloads },
      { to: '/settings/grants', text: grants.title },
      { to: '/settings/stops', text: stops.title },
    ],
  },
  { text: purposes.delivery, links: [{ to: '/settings/webhooks', text: webhooks.title }] },
  {
    text: purposes.reviews,
    links: [
      { to: '/settings/overrides', text: breakGlass.title },
      { to: '/settings/look-back', text: lookBacks.title },
    ],
  },
  {
    text: system.title,
    links: [
      { to: '/settings/system', text: system.title },
      { to: '/settings/providers', text: providers.title },
    ],
  },
];
