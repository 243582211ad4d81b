import { lazy, Suspense, useId, useRef, useState, type ComponentType } from 'react';
import { describeAge, describeMoment, describeWhen } from './relative-time.ts';
import { useNow, isSoon, formatTimeLeft } from './use-now.tsx';
import classes from './Moment.module.css';
import type { MomentTooltipProps } from './MomentTooltip.tsx';

// Loaded on first use; without it the time itself stays.
const MomentTooltip = lazy<ComponentType<MomentTooltipProps>>(() =>
  import('./MomentTooltip.tsx').then(
    ({ MomentTooltip: loaded }) => ({ default: loaded }),
    () => ({ default: () => null }),
  ),
);

/** A time in relation to now; the exact moment is given on hover, on focus and to screen readers. */
export function Age({ at }: { at: number }) {
  return <Moment at={at} text={describeAge(at, useNow())} />;
}

/** A time that may be in the future. */
export function When({ at }: { at: number }) {
  return <Moment at={at} text={describeWhen(at, useNow())} />;
}

export function TimeLeft({ until }: { until: number }) {
  const now = useNow();
  return <Moment at={until} text={formatTimeLeft(until, now)} isSoon={isSoon(until, now)} />;
}

function Moment({ at, text, isSoon = false }: { at: number; text: string; isSoon?: boolean }) {
  const [isShown, setIsShown] = useState(false);
  const time = useRef<HTMLTimeElement>(null);
  const id = useId();
  return (
    <>
      <time
        ref={time}
        dateTime={new Date(at).toISOString()}
        tabIndex={0}
        aria-describedby={isShown ? id : undefined}
        className={classes.moment}
        data-soon={isSoon}
        onMouseEnter={() => setIsShown(true)}
        onMouseLeave={() => setIsShown(false)}
        onFocus={() => setIsShown(true)}
        onBlur={() => setIsShown(false)}
        onKeyDown={({ key }) => key === 'Escape' && setIsShown(false)}
      >
        {text}
      </time>
      {isShown && (
        <Suspense>
          <MomentTooltip id={id} target={time} moment={describeMoment(at)} />
        </Suspense>
      )}
    </>
  );
}
