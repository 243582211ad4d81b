import { lazy, Suspense } from 'react';
import { useIsSettled } from '../lib/use-is-settled.ts';
import { describeAge, describeMoment, describeWhen } from '../lib/relative-time.ts';
import { useNow } from '../lib/use-now.ts';
import classes from './Moment.module.css';
import { isSoon, sayTimeLeft } from './RowMoment.tsx';

// No page waits for it.
const MomentTooltip = lazy(async () => ({ default: (await import('./MomentTooltip.tsx')).MomentTooltip }));

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

function Moment({ at, text, isSoon = false }: { at: number; text: string; isSoon?: boolean }) {
  const time = (
    <time dateTime={new Date(at).toISOString()} tabIndex={0} className={classes.moment} data-soon={isSoon}>
      {text}
    </time>
  );
  if (!useIsSettled()) return time;
  return (
    <Suspense fallback={time}>
      <MomentTooltip moment={describeMoment(at)}>{time}</MomentTooltip>
    </Suspense>
  );
}
