import { Link } from 'react-router';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { listAddress, withView, type InboxFilters } from '../inbox-url.ts';
import { shell } from '../../../ui/words/words.ts';
import tabs from '../../../shell/Tabs.module.css';
import classes from '../ViewTabs.module.css';
import { words } from '../words/words.ts';

const openViews = ['mine', 'all'] as const;

/** Links, not a tab widget: each view is an address of its own. */
export function ViewTabs({ filters, counts }: { filters: InboxFilters; counts: Inbox['counts'] | undefined }) {
  return (
    <nav aria-label={words.viewsLabel} className={`${tabs.tabs} ${classes.bar}`}>
      {openViews.map((view) => (
        <Link
          key={view}
          to={listAddress(withView(filters, view))}
          aria-current={view === filters.view ? 'page' : undefined}
          className={tabs.tab}
        >
          {words.views[view]}
          {counts !== undefined && <span className={classes.count}>{shell.counted(counts[view])}</span>}
        </Link>
      ))}
    </nav>
  );
}
