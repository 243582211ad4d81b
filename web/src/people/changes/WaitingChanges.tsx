import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { openChangesQuery } from '../../shell/queries.ts';
import { useIsSettled } from '../../ui/use-is-settled.ts';
import { changes as words } from '../../ui/words/change-words.ts';
import { Age } from '../../ui/Moment.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { Revealed } from '../../ui/Revealed.tsx';

/** Changes that wait for a second administrator, also after a reload: each leads to its request. */
export function WaitingChanges({ isShown }: { isShown: (change: InboxItem) => boolean }) {
  const { data = [] } = useQuery({ ...openChangesQuery, enabled: useIsSettled() });
  const shown = data.filter(isShown);
  if (shown.length === 0) return null;
  return (
    <Notice title={words.waiting}>
      <ul className={page.links}>
        {shown.map(({ id, message, toolTitle, tool, openedAt }) => (
          <li key={id}>
            <Link to={`/requests/${id}`}>
              <Revealed text={message ?? toolTitle ?? tool} most={200} />
            </Link>{' '}
            <Age at={openedAt} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Does the change belong to policies? Others are shown in the settings. */
export const isOfPolicies = (tool: string): boolean => tool === 'publish-policy' || tool === 'apply-policies';
