import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { AddedUser } from '#people/users/contract';
import { isWaiting, type Changed } from '../../changes/changes.ts';
import { groupsQuery, linkWayQuery, usersQuery } from '../directory-queries.ts';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { places } from '../../../ui/words/words.ts';
import { ChangeNotice } from '../../changes/ChangeNotice.tsx';
import { NewUserForm } from './NewUserForm.tsx';
import { MailedLinkNotice, TerminalAccess } from '../SignInAccess.tsx';
import { newUser as words } from '../../../settings/words/words.ts';

export function NewUserPage() {
  const [added, setAdded] = useState<Changed<AddedUser> | null>(null);
  const users = useQuery(usersQuery).data ?? [];
  const groups = useQuery(groupsQuery).data ?? [];
  const isInTerminal = useQuery(linkWayQuery).data === 'terminal';
  return (
    <div className={page.stack}>
      <PageHead
        title={words.title}
        lead={isInTerminal ? words.terminalLead : words.lead}
        back={{ to: '/settings/people', text: places.users }}
      />
      {added === null ? (
        <NewUserForm users={users} groups={groups} isInTerminal={isInTerminal} onAdded={setAdded} />
      ) : (
        <Added added={added} onAgain={() => setAdded(null)} />
      )}
    </div>
  );
}

function Added({ added, onAgain }: { added: Changed<AddedUser>; onAgain: () => void }) {
  return (
    <div className={page.form}>
      {!isWaiting(added) && <Access {...added} />}
      <ChangeNotice change={added} />
      <div className={page.actions}>
        {!isWaiting(added) && (
          <Link to={`/settings/people/${added.user.id}`} className={page.action}>
            {words.open(added.user.name)}
          </Link>
        )}
        <button type="button" className={page.action} onClick={onAgain}>
          {words.again}
        </button>
      </div>
    </div>
  );
}

const Access = ({ user, linkUntil }: AddedUser) =>
  linkUntil === null ? <TerminalAccess user={user} isNew /> : <MailedLinkNotice user={user} until={linkUntil} />;
