import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { Signal } from '#requests/inbox/contract/inbox';
import { describeShortMoment, describeTimeOfDay } from '../../../ui/relative-time.ts';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { useComparison } from '../MoreSteps/use-comparison.ts';
import type { SaidSignal } from '../words/url-facts/said-signal.ts';
import { signals as words } from '../words/words.ts';
import classes from '../Signals.module.css';

/** What sets the request apart from past ones, in one line; pressed, it says from which of them. */
export function Signals({ detail }: { detail: ElicitationDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const signals = useComparison(detail)?.signals ?? [];
  if (signals.length === 0) return null;
  return (
    <div className={classes.signals} data-signals="">
      <Button
        variant="subtle"
        classNames={{ root: classes.button, label: classes.label }}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className={classes.line}>
          {signals.map((signal, at) => (
            <span key={at} className={classes.signal}>
              {words.say(withTime(signal))}
            </span>
          ))}
        </span>
      </Button>
      <section id={id} aria-label={words.title} hidden={!isOpen} className={classes.why}>
        {isOpen && signals.map((signal, at) => <Explanation key={at} signal={signal} />)}
        <p>{words.note}</p>
      </section>
    </div>
  );
}

/** How it was found out, with the requests that it was computed from. */
function Explanation({ signal }: { signal: Signal }) {
  const { from, of } = signal;
  return (
    <div>
      <p>
        <Revealed text={words.explain(withTime(signal))} />
      </p>
      <p>
        {words.from}{' '}
        {from.map(({ id, at }, index) => (
          <span key={id}>
            {index > 0 && ' · '}
            <Link to={`/requests/${id}`}>{describeShortMoment(at)}</Link>
          </span>
        ))}
        {of > from.length && ` ${words.more(of - from.length)}`}
      </p>
    </div>
  );
}

const withTime = (signal: Signal): SaidSignal =>
  signal.kind === 'hour' ? { ...signal, time: describeTimeOfDay(signal.at) } : signal;
