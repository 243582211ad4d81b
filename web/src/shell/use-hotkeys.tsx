import { createContext, use, useEffectEvent, useLayoutEffect, useMemo, type ReactNode } from 'react';
import { keptChoice, useChoice } from '../ui/kept-choice.ts';

interface HotkeySwitch {
  isOn: boolean;
  setIsOn: (isOn: boolean) => void;
}

const singleKeys = keptChoice('assentry-keys', ['on', 'off']);

const HotkeyContext = createContext<HotkeySwitch>({ isOn: true, setIsOn: () => undefined });

/** Switch for single-key shortcuts: speech input and unsteady hands press them by accident. */
export function HotkeySwitchProvider({ children }: { children: ReactNode }) {
  const isOn = useChoice(singleKeys) === 'on';
  const value = useMemo(() => ({ isOn, setIsOn: (on: boolean) => singleKeys.set(on ? 'on' : 'off') }), [isOn]);
  return <HotkeyContext value={value}>{children}</HotkeyContext>;
}

export const useHotkeySwitch = (): HotkeySwitch => use(HotkeyContext);

/** Places with keys; the list of shortcuts and the palette name each key of each place. */
type HotkeyPlace = 'everywhere' | 'list' | 'request' | 'together';

interface Pressed {
  place: HotkeyPlace;
  press: (key: string) => boolean;
}

const present = new Set<Pressed>();

/** Places whose keys work now. */
export const presentPlaces = (): ReadonlySet<HotkeyPlace> => new Set([...present].map(({ place }) => place));

/** Runs the action of a key in this place, even if single keys are turned off. */
export const pressHotkey = (place: HotkeyPlace, key: string): void =>
  void [...present].filter((pressed) => pressed.place === place).some(({ press }) => press(key));

/** Calls `press` with a key typed outside fields and dialogs; true marks the key as used. */
export function useHotkeys(place: HotkeyPlace, press: (key: string) => boolean): void {
  const { isOn } = useHotkeySwitch();
  const onPress = useEffectEvent(press);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isForPage(event) && press(event.key)) event.preventDefault();
  });
  useLayoutEffect(() => {
    const pressed = { place, press: (key: string) => onPress(key) };
    present.add(pressed);
    return () => void present.delete(pressed);
  }, [place]);
  // Before the page is drawn, so that a key pressed at first sight is not lost.
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
