import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { UserEntry } from '../../../../../src/contract/users/users.ts';
import { makePasswordLink } from '../../../api/directory.ts';
import { linkPlaceQuery } from '../../../lib/directory-queries.ts';
import { mayOfOthers, type Permission } from '../../../lib/permission-table.ts';
import { useUser } from '../../../lib/use-user.ts';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import page from '../../../ui/page/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { PasswordLinkPanel } from './PasswordLinkPanel.tsx';
import { useSave } from '../use-save.ts';
import { access as words } from '../words/words.ts';

/** Whether the person can sign in, and a new link for who cannot. */
export function SignInAccess({ user }: { user: UserEntry }) {
  const permission = useLinkPermission(user);
  const make = useSave(() => makePasswordLink(user.id), words.made);
  const id = useId();
  const isInTerminal = useQuery(linkPlaceQuery).data === 'terminal';
  if (isInTerminal) return <TerminalAccess user={user} />;
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p>{user.hasPassword ? words.hasPassword : words.hasNone}</p>
      {make.isError && <ProblemNotice error={make.error} />}
      {make.data && <PasswordLinkPanel user={user} link={make.data} />}
      <p className={page.small}>{user.hasPassword ? words.replaceNote : words.againNote}</p>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={make.isPending} onPress={() => make.mutate()}>
          {words.make}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}

/** In production: who can sign in, and how they get a link that no administrator has seen. */
export function TerminalAccess({ user }: { user: Pick<UserEntry, 'email' | 'hasPassword'> }) {
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p>{user.hasPassword ? words.hasPassword : words.hasNone}</p>
      <p className={page.small}>{words.terminal}</p>
      <p>
        <code>assentry user link {user.email}</code>
      </p>
    </section>
  );
}

function useLinkPermission({ id, disabledAt }: UserEntry): Permission {
  const permission = mayOfOthers(useUser(), 'change-users', id);
  return permission.allowed && disabledAt !== null ? { allowed: false, reason: words.disabled } : permission;
}
