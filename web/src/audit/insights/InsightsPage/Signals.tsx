import { Link } from 'react-router';
import type { Insights } from '#audit/reports/contract/insights';
import { describeMoment } from '../../../ui/relative-time.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../Insights.module.css';
import { words } from '../words/words.ts';

/** Where Audit shows what a sentence counts. */
const address = (question: string, filter: Record<string, string>): string =>
  `/audit/${question}?${new URLSearchParams(filter).toString()}`;

/** A period as an address of Audit holds it: whole minutes in UTC, the last one included. */
const minutesOf = (from: number, to: number) => ({ from: minuteOf(from), to: minuteOf(to) });
const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16);

/** What deserves a look: many votes in a row that no one can have read, and tools that asked very often. */
export function Signals({ insights: { runs, sprees, bursts, names, limits } }: { insights: Insights }) {
  const mayAsk = useUser()?.reads.log ?? false;
  const { runLength, burstSize, spreeSize, spreeWithin } = limits;
  const minutes = spreeWithin / 60_000;
  if (runs.length + sprees.length + bursts.length === 0)
    return <p className={classes.quiet}>{words.noSignals(runLength, spreeSize, minutes, burstSize)}</p>;
  const signals = [
    ...runs.map(({ person, server, votes, from, to }) => ({
      text: words.run(
        names[person] ?? person,
        server,
        votes,
        limits.hastyWithin / 1000,
        describeMoment(from),
        describeMoment(to),
      ),
      to: address('hasty', { person, ...(server !== null && { server }), ...minutesOf(from, to) }),
    })),
    ...sprees.map(({ person, server, approvals, at }) => ({
      text: words.spree(names[person] ?? person, server, approvals, minutes, describeMoment(at)),
      to: address('log', { person, ...(server !== null && { server }), ...minutesOf(at - spreeWithin, at) }),
    })),
    ...bursts.map(({ server, tool, at, requests }) => ({
      text: words.burst(tool, server, requests, describeMoment(at)),
      to: address('requests', { server, tool, ...minutesOf(at, at) }),
    })),
  ];
  return (
    <Notice tone="warn" title={words.signals(signals.length)}>
      <ul className={classes.signals}>
        {signals.map(({ text, to }) => (
          <li key={text}>
            <Revealed text={text} /> {mayAsk && <Link to={to}>{words.showThem}</Link>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
