import { createContext, use, useEffectEvent, useLayoutEffect, useMemo, type ReactNode } from 'react';
import { keptChoice, useChoice } from '../ui/kept-choice.ts';

interface HotkeySwitch {
  isOn: boolean;
  setIsOn: (isOn: boolean) => void;
}

const singleKeys = keptChoice('assentry-keys', ['on', 'off']);

const HotkeyContext = createContext<HotkeySwitch>({ isOn: true, setIsOn: () => undefined });

/** Single-key shortcuts can be turned off: speech input and unsteady hands press them by accident. */
export function HotkeySwitchProvider({ children }: { children: ReactNode }) {
  const isOn = useChoice(singleKeys) === 'on';
  const value = useMemo(() => ({ isOn, setIsOn: (on: boolean) => singleKeys.set(on ? 'on' : 'off') }), [isOn]);
  return <HotkeyContext value={value}>{children}</HotkeyContext>;
}

export const useHotkeySwitch = (): HotkeySwitch => use(HotkeyContext);

/** Where keys have a meaning; the list of shortcuts and the palette name each key of each place. */
type HotkeyPlace = 'everywhere' | 'list' | 'request' | 'together';

interface Pressed {
  place: HotkeyPlace;
  press: (key: string) => boolean;
}

const present = new Set<Pressed>();

/** The places whose keys have a meaning now. */
export const presentPlaces = (): ReadonlySet<HotkeyPlace> => new Set([...present].map(({ place }) => place));

/** Does what the key does in this place, even if single keys are turned off. */
export const pressHotkey = (place: HotkeyPlace, key: string): void =>
  void [...present].filter((pressed) => pressed.place === place).some(({ press }) => press(key));

/** Calls `press` with a key typed outside fields and dialogs; true from it means that the key was used. */
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
