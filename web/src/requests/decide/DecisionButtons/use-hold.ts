import { useEffect, useEffectEvent, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { decide as words } from '../words/words.ts';
import { atRest, pressHold, type PressEvent } from './hold-press.ts';

/** Milliseconds; the same for finger, mouse and key. */
const holdTime = 1_000;

/** What makes a button wait until it was held, or its key was pressed twice. */
export function useHold(onDecided: () => void) {
  const [press, setPress] = useState(atRest);
  const [isShort, setIsShort] = useState(false);
  const announce = useAnnounce();
  const take = (event: PressEvent) => {
    const { isDecided, ...next } = pressHold(press, event);
    setPress(next);
    setIsShort(event === 'let-go' && press.by === 'pointer');
    if (next.isArmed && !press.isArmed) announce(words.pressAgain);
    if (event === 'let-go' && press.by === 'pointer') announce(words.keepHolding);
    if (isDecided) onDecided();
  };
  const onFull = useEffectEvent(() => take('full'));
  useEffect(() => {
    if (press.by === null) return;
    const timer = setTimeout(onFull, holdTime);
    return () => clearTimeout(timer);
  }, [press.by]);
  const handlers = {
    onPointerDown: ({ button }: PointerEvent) => button === 0 && take('pointer-down'),
    onPointerUp: () => press.by === 'pointer' && take('let-go'),
    onPointerLeave: () => press.by === 'pointer' && take('leave'),
    onPointerCancel: () => press.by === 'pointer' && take('leave'),
    onBlur: () => take('leave'),
    // A long touch would open the browser's menu over the button.
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') return take('leave');
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      if (!event.repeat) take('key-down');
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      if (press.by === 'key') take('let-go');
    },
    // A click of a pointer comes after it was let go, and counts for nothing.
    onClick: ({ detail }: MouseEvent) => detail === 0 && take('click'),
  };
  return { handlers, isHeld: press.by !== null, isArmed: press.isArmed, isShort };
}
