import { createContext, use, useEffectEvent, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';

interface HotkeySwitch {
  isOn: boolean;
  setIsOn: (isOn: boolean) => void;
}

const HotkeyContext = createContext<HotkeySwitch>({ isOn: true, setIsOn: () => undefined });

/** Single-key shortcuts can be turned off: speech input and unsteady hands press them by accident. */
export function HotkeySwitchProvider({ children }: { children: ReactNode }) {
  const [isOn, setIsOn] = useState(true);
  const value = useMemo(() => ({ isOn, setIsOn }), [isOn]);
  return <HotkeyContext value={value}>{children}</HotkeyContext>;
}

export const useHotkeySwitch = (): HotkeySwitch => use(HotkeyContext);

/** Calls `press` with a key typed outside fields and dialogs; true from it means that the key was used. */
export function useHotkeys(press: (key: string) => boolean): void {
  const { isOn } = useHotkeySwitch();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isForPage(event) && press(event.key)) event.preventDefault();
  });
  // Before the page is drawn, so that no key is lost that is pressed as soon as it is seen.
  useLayoutEffect(() => {
    if (!isOn) return;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isOn]);
}

function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false;
  return !(event.target instanceof Element && event.target.closest('input, textarea, select, [role=dialog]'));
}
