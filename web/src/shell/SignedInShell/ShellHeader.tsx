import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { signOut } from '../../access/sign-in/PasswordForm.tsx';
import { useAnnounce } from '../use-hotkeys/announcer.tsx';
import { useHotkeys } from '../use-hotkeys/use-hotkeys.tsx';
import { Initials } from '../../ui/Initials/Initials.tsx';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import classes from '../Shell.module.css';
import { PaletteButton } from './PaletteButton.tsx';
import { PlaceLinks } from './PlaceLinks.tsx';
import unseen from '../Unseen.module.css';
import { Wordmark } from '../PlainPage/Wordmark.tsx';
import { nameRole, shell } from '../../ui/words/words.ts';

const ShortcutHelp = lazy(async () => ({ default: (await import('../ShortcutHelp.tsx')).ShortcutHelp }));

export function ShellHeader({ user }: { user: SignedIn['user'] }) {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useHotkeys('everywhere', (key) => {
    if (key === '?') setIsHelpOpen(true);
    return key === '?';
  });
  return (
    <header className={classes.header} data-page-header="">
      <div className={classes.headerInner}>
        <Wordmark />
        <PlaceLinks user={user} />
        <Link to="/account" className={classes.user}>
          <span className={unseen.unseen}>{shell.account}</span>
          <Initials id={user.id} name={user.name} />
          <span className={classes.name}>
            <Revealed text={user.name} />
          </span>
          <span className={classes.role}>{nameRole(user.role)}</span>
        </Link>
        <PaletteButton user={user} />
        <Button variant="subtle" color="gray" className={classes.help} onClick={() => setIsHelpOpen(true)}>
          <span className={unseen.unseen}>{shell.shortcuts}</span>
          <kbd>?</kbd>
        </Button>
        <SignOutButton />
      </div>
      <Suspense>{isHelpOpen && <ShortcutHelp onClose={() => setIsHelpOpen(false)} />}</Suspense>
    </header>
  );
}

function SignOutButton() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async (provider) => {
      if (provider) return location.assign(provider.location);
      await navigate('/signin');
      queries.clear();
    },
    onError: () => announce(shell.signOutFailed),
  });
  return (
    <Button variant="subtle" color="gray" className={classes.signOut} data-sign-out="" onClick={() => leave.mutate()}>
      {shell.signOut}
    </Button>
  );
}
