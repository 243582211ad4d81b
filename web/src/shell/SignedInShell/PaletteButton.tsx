import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { Glass } from '../../ui/icons.tsx';
import unseen from '../Unseen.module.css';
import { shell } from '../../ui/words/words.ts';
import classes from '../Shell.module.css';

const Palette = lazy(async () => ({ default: (await import('../Palette/Palette.tsx')).Palette }));

/** Opens the palette, which is loaded then: by its button, or with Ctrl+K or ⌘K, also while someone types. */
export function PaletteButton({ user }: { user: SignedIn['user'] }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <Button variant="subtle" color="gray" className={classes.find} onClick={() => setIsOpen(true)}>
        <span className={unseen.unseen}>{shell.find}</span>
        <Glass />
      </Button>
      <Suspense>{isOpen && <Palette user={user} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
