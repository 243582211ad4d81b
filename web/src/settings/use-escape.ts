import { useEffect, useEffectEvent } from 'react';

/** While the second step of a button is shown, Escape takes it back as its other button does. */
export function useEscape(isShown: boolean, takeBack: () => void): void {
  const onEscape = useEffectEvent(takeBack);
  useEffect(() => {
    if (!isShown) return;
    const listener = ({ key }: KeyboardEvent): void => void (key === 'Escape' && onEscape());
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isShown]);
}
