import { useEffect, useState } from 'react';

/** Whole seconds until this moment, 0 once it has come; redraws only while some are left. */
export function useSecondsLeft(until: number): number {
  const [draws, redraw] = useState(0);
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => redraw(draws + 1), Math.max(0, until - (seconds - 1) * 1000 - Date.now()));
    return () => clearTimeout(timer);
  }, [until, seconds, draws]);
  return seconds;
}
