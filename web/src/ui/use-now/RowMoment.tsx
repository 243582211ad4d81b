import { describeAge, describePast, describeTimeLeft } from '../relative-time.ts';
import { useFromNow } from './use-now.ts';
import classes from '../Moment.module.css';
import { times } from '../words/words.ts';

/** For rows that are links: no stop of its own for the keyboard, the row says the moment when it has the focus. */
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

/** When what has ended did so. */
export function RowEnd({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useFromNow((now) => describePast(at, now))}</time>;
}

export function formatTimeLeft(until: number, now: number): string {
  const timeLeft = describeTimeLeft(until, now);
  return timeLeft === null ? times.over : times.left(timeLeft);
}

/** In the last hour the seconds are counted, and the eye is drawn to it. Milliseconds. */
export const isSoon = (until: number, now: number): boolean => until - now < 3_600_000;
