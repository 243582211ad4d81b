import { useEffect, useEffectEvent } from 'react';

/** Makes Escape cancel the second step of a button, like its other button. */
export function useEscape(isShown: boolean, takeBack: () => void): void {
  const onEscape = useEffectEvent(takeBack);
  useEffect(() => {
    if (!isShown) return;
    const listener = ({ key }: KeyboardEvent): void => void (key === 'Escape' && onEscape());
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isShown]);
}
