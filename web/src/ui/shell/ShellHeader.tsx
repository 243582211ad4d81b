import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { SignedIn } from '../../../../src/contract/console/console.ts';
import { signOut } from '../../api/session.ts';
import { useAnnounce } from '../../lib/announcer.tsx';
import { useHotkeys } from '../../lib/use-hotkeys.tsx';
import { useWaiting } from '../../lib/use-live-inbox.tsx';
import { Revealed } from '../Revealed.tsx';
import classes from './Shell.module.css';
import { PaletteKey } from './PaletteKey.tsx';
import { ShortcutHelp } from './ShortcutHelp.tsx';
import unseen from '../Unseen.module.css';
import { Wordmark } from './Wordmark.tsx';
import { places, roleNames, shell, shortcuts } from '../words/words.ts';

export function ShellHeader({ user }: { user: SignedIn['user'] }) {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useHotkeys((key) => {
    if (key === '?') setIsHelpOpen(true);
    return key === '?';
  });
  return (
    <header className={classes.header}>
      <div className={classes.headerInner}>
        <Wordmark />
        <nav aria-label={shell.main} className={classes.nav}>
          <PlaceLink to="/inbox" also="/requests">
            {places.inbox}
            <WaitingCount />
          </PlaceLink>
          <PlaceLink to="/policies" also="/new-policy">
            {places.policies}
          </PlaceLink>
          <PlaceLink to="/people">{places.users}</PlaceLink>
          {user.role !== 'approver' && <PlaceLink to="/audit">{places.audit}</PlaceLink>}
        </nav>
        <span className={classes.user}>
          <Revealed text={user.name} />
          <span className={classes.role}>{roleNames[user.role]}</span>
        </span>
        <Button variant="subtle" color="gray" className={classes.help} onClick={() => setIsHelpOpen(true)}>
          <span className={unseen.unseen}>{shortcuts.title}</span>
          <kbd>?</kbd>
        </Button>
        <SignOutButton />
      </div>
      <PaletteKey role={user.role} />
      <ShortcutHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </header>
  );
}

interface PlaceLinkProps {
  to: string;
  /** Where the same place goes on under another address. */
  also?: string;
  children: ReactNode;
}

function PlaceLink({ to, also = to, children }: PlaceLinkProps) {
  const { pathname } = useLocation();
  const isHere = [to, also].some((place) => pathname === place || pathname.startsWith(`${place}/`));
  return (
    <Link to={to} className={classes.navLink} aria-current={pathname === to ? 'page' : isHere || undefined}>
      {children}
    </Link>
  );
}

function WaitingCount() {
  const waiting = useWaiting();
  if (waiting === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden="true">{shell.counted(waiting)}</span>
      <span className={unseen.unseen}>{shell.waiting(waiting)}</span>
    </span>
  );
}

function SignOutButton() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate('/signin');
      queries.clear();
    },
    onError: () => announce(shell.signOutFailed),
  });
  return (
    <Button variant="subtle" color="gray" className={classes.signOut} onClick={() => leave.mutate()}>
      {shell.signOut}
    </Button>
  );
}
