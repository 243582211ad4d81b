import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { usersRoutes, type UserEntry } from '#people/users/contract';
import { call } from '../../client/call.ts';
import { linkWayQuery } from './directory-queries.ts';
import { mayOfOthers, type Permission } from '../roles/permission-table.ts';
import { useUser } from './use-user.ts';
import { TimeLeft } from '../../ui/Moment.tsx';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { useSave } from '../../settings/use-save.ts';
import { access as words } from '../../settings/words/words.ts';

/** Whether the person can sign in, and ways to give them a link that no one else sees. */
export function SignInAccess({ user }: { user: UserEntry }) {
  const isInTerminal = useQuery(linkWayQuery).data === 'terminal';
  return isInTerminal ? <TerminalAccess user={user} /> : <MailAccess user={user} />;
}

interface TerminalAccessProps {
  user: Pick<UserEntry, 'email' | 'hasPassword'>;
  /** Set for a person added just now, who has nothing to reset. */
  isNew?: boolean;
}

/** The operator's command that prints the link. */
export function TerminalAccess({ user, isNew = false }: TerminalAccessProps) {
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p>{user.hasPassword ? words.hasPassword : words.hasNone}</p>
      <p className={page.small}>{words.terminal}</p>
      <p>
        <code>assentry user link {user.email}</code>
      </p>
      {!isNew && (
        <>
          <p className={page.small}>{words.terminalReset}</p>
          <p>
            <code>assentry user link {user.email} --reset-factors</code>
          </p>
        </>
      )}
    </section>
  );
}

function MailAccess({ user }: { user: UserEntry }) {
  const permission = useLinkPermission(user);
  const params = { id: user.id };
  const send = useSave(() => call(usersRoutes.mailPasswordLink, { params }), words.sent);
  const reset = useSave(() => call(usersRoutes.resetFactors, { params }), words.sent);
  const sent = reset.data ?? send.data;
  const failed = send.error ?? reset.error;
  const id = useId();
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p>{user.hasPassword ? words.hasPassword : words.hasNone}</p>
      {failed !== null && <ProblemNotice error={failed} />}
      {sent && <MailedLinkNotice user={user} until={sent.linkUntil} />}
      <p className={page.small}>{user.hasPassword ? words.replaceNote : words.againNote}</p>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={send.isPending} onPress={() => send.mutate()}>
          {words.send}
        </ReasonedButton>
      </div>
      <p className={page.small}>{words.resetNote}</p>
      <div className={page.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={reset.isPending}
          onPress={() => reset.mutate()}
        >
          {words.reset}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}

interface MailedLinkNoticeProps {
  user: Pick<UserEntry, 'email'>;
  /** Expiry of the link. */
  until: number;
}

/** Tells that the link was mailed. It takes the focus. */
export function MailedLinkNotice({ user: { email }, until }: MailedLinkNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), [until]);
  return (
    <Notice ref={notice} tone="good" title={words.onItsWay(email)}>
      <p>
        {words.once} <TimeLeft until={until} />.
      </p>
      <p className={page.small}>
        {words.shared} <code>assentry user link {email}</code>
      </p>
    </Notice>
  );
}

function useLinkPermission({ id, disabledAt }: UserEntry): Permission {
  const permission = mayOfOthers(useUser(), 'change-directory', id);
  return permission.allowed && disabledAt !== null ? { allowed: false, reason: words.disabled } : permission;
}
