import { Tooltip } from '@mantine/core';
import { describeAge, describeMoment, describeTimeLeft, describeWhen } from '../lib/relative-time.ts';
import { useNow } from '../lib/use-now.ts';
import classes from './Moment.module.css';
import { times } from './words/words.ts';

/** A time in relation to now; the moment itself is said on hover, on focus and to screen readers. */
export function Age({ at }: { at: number }) {
  return <Moment at={at} text={describeAge(at, useNow())} />;
}

/** For what may be still to come. */
export function When({ at }: { at: number }) {
  return <Moment at={at} text={describeWhen(at, useNow())} />;
}

export function TimeLeft({ until }: { until: number }) {
  const now = useNow();
  return <Moment at={until} text={sayTimeLeft(until, now)} isSoon={isSoon(until, now)} />;
}

/** For rows that are links: no stop of its own for the keyboard, the row says the moment when it has the focus. */
export function RowTimeLeft({ until }: { until: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(until).toISOString()} className={classes.row} data-soon={isSoon(until, now)}>
      {sayTimeLeft(until, now)}
    </time>
  );
}

export function RowAge({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{describeAge(at, useNow())}</time>;
}

function sayTimeLeft(until: number, now: number): string {
  const timeLeft = describeTimeLeft(until, now);
  return timeLeft === null ? times.over : times.left(timeLeft);
}

/** In the last hour the seconds are counted, and the eye is drawn to it. Milliseconds. */
const isSoon = (until: number, now: number): boolean => until - now < 3_600_000;

function Moment({ at, text, isSoon = false }: { at: number; text: string; isSoon?: boolean }) {
  const moment = describeMoment(at);
  return (
    <Tooltip
      label={moment}
      events={{ hover: true, focus: true, touch: true }}
      withArrow
      transitionProps={{ duration: 0 }}
    >
      <time dateTime={new Date(at).toISOString()} tabIndex={0} className={classes.moment} data-soon={isSoon}>
        {text}
      </time>
    </Tooltip>
  );
}
