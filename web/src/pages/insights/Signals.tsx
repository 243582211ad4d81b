import type { Insights } from '../../../../src/contract/insights-routes.ts';
import { describeMoment } from '../../lib/relative-time.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './Insights.module.css';
import { words } from './words/words.ts';

/** What deserves a look: many votes in a row that no one can have read, and tools that asked very often. */
export function Signals({ insights: { runs, sprees, bursts, names, limits } }: { insights: Insights }) {
  const { runLength, burstSize, spreeSize, spreeWithin } = limits;
  const minutes = spreeWithin / 60_000;
  if (runs.length + sprees.length + bursts.length === 0)
    return <p className={classes.quiet}>{words.noSignals(runLength, spreeSize, minutes, burstSize)}</p>;
  const texts = [
    ...runs.map(({ person, votes, from, to }) =>
      words.run(names[person] ?? person, votes, limits.hastyWithin / 1000, describeMoment(from), describeMoment(to)),
    ),
    ...sprees.map(({ person, approvals, at }) =>
      words.spree(names[person] ?? person, approvals, minutes, describeMoment(at)),
    ),
    ...bursts.map(({ server, tool, at, requests }) => words.burst(tool, server, requests, describeMoment(at))),
  ];
  return (
    <Notice tone="warn" title={words.signals(texts.length)}>
      <ul className={classes.signals}>
        {texts.map((text) => (
          <li key={text}>
            <Revealed text={text} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
