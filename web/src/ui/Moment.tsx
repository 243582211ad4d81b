import { Tooltip } from '@mantine/core';
import { describeAge, describeMoment, describeTimeLeft } from '../lib/relative-time.ts';
import { useNow } from '../lib/use-now.ts';
import classes from './Moment.module.css';
import { times } from './words.ts';

/** A time in relation to now; the moment itself is said on hover, on focus and to screen readers. */
export function Age({ at }: { at: number }) {
  return <Moment at={at} text={describeAge(at, useNow())} />;
}

export function TimeLeft({ until }: { until: number }) {
  const left = describeTimeLeft(until, useNow());
  return <Moment at={until} text={left === null ? times.over : times.left(left)} />;
}

/** For rows that are links: no stop of its own for the keyboard, the row says the moment when it has the focus. */
export function RowTimeLeft({ until }: { until: number }) {
  const left = describeTimeLeft(until, useNow());
  return <time dateTime={new Date(until).toISOString()}>{left === null ? times.over : times.left(left)}</time>;
}

export function RowAge({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{describeAge(at, useNow())}</time>;
}

function Moment({ at, text }: { at: number; text: string }) {
  const moment = describeMoment(at);
  return (
    <Tooltip
      label={moment}
      events={{ hover: true, focus: true, touch: true }}
      withArrow
      transitionProps={{ duration: 0 }}
    >
      <time dateTime={new Date(at).toISOString()} tabIndex={0} className={classes.moment}>
        {text}
      </time>
    </Tooltip>
  );
}
