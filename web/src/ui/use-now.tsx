import { useSyncExternalStore } from 'react';
import { serverNow } from '../client/call-api.ts';
import { describeAge, describePast, describeTimeLeft } from './relative-time.ts';
import classes from './Moment.module.css';
import { times } from './words/words.ts';

/** The present in milliseconds, refreshed each second by one timer for the whole page. */
export const useNow = (): number => useSyncExternalStore(listen, () => now);

/** Value derived from the present: redraws only when it changes, so that a thousand rows do not each second. */
const useFromNow = <T extends string | boolean>(read: (now: number) => T): T =>
  useSyncExternalStore(listen, () => read(now));

let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  now = serverNow();
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}

/** Time left in a row that is a link: it is no separate tab stop, the focused row gives the moment. */
export function RowTimeLeft({ until }: { until: number }) {
  const isNear = useFromNow((now) => isSoon(until, now));
  return (
    <time dateTime={new Date(until).toISOString()} className={classes.row} data-soon={isNear}>
      {useFromNow((now) => formatTimeLeft(until, now))}
    </time>
  );
}

export function RowAge({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useFromNow((now) => describeAge(at, now))}</time>;
}

/** Time of the end. */
export function RowEnd({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useFromNow((now) => describePast(at, now))}</time>;
}

export function formatTimeLeft(until: number, now: number): string {
  const timeLeft = describeTimeLeft(until, now);
  return timeLeft === null ? times.over : times.left(timeLeft);
}

/** Is it in the last hour, when seconds are counted and highlighted? Milliseconds. */
export const isSoon = (until: number, now: number): boolean => until - now < 3_600_000;
