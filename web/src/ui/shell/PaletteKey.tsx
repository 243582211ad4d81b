import { lazy, Suspense, useEffect, useState } from 'react';
import type { SignedIn } from '#protocol/contract/console/console';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

/** Opens the palette with Ctrl+K or ⌘K, also while someone types; it is loaded then. */
export function PaletteKey({ user }: { user: SignedIn['user'] }) {
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
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Palette user={user} onClose={() => setIsOpen(false)} />
    </Suspense>
  );
}
