import type { RequestRecord } from '#audit/search/contract';
import { colon } from '../../../language/words/words.ts';
import { Cross, Ring, Tick } from '../../../ui/icons.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { actorName } from '../actor-name.ts';
import { log, record as words, types } from '../words/words.ts';
import { entryFacts } from './entry-facts.ts';
import { Instant } from '../Instant/Instant.tsx';
import classes from '../Record.module.css';

type Entry = RequestRecord['entries'][number];

/** Every entry in the order of the log, with its place and whether it is under the signed head. */
export const RecordEntries = ({ record: { entries, names } }: { record: RequestRecord }) => (
  <section aria-label={words.timeline} className={classes.section}>
    <h2 className={page.subtitle}>{words.timeline}</h2>
    <ol className={classes.list}>
      {entries.map((row, at) => (
        <EntryItem key={row.entry?.id ?? at} row={row} names={names} />
      ))}
    </ol>
  </section>
);

function EntryItem({ row: { place, proof, entry }, names }: { row: Entry; names: RequestRecord['names'] }) {
  const Shape = shapes[proof];
  return (
    <li className={classes.item}>
      <p className={classes.what}>{entry ? <Deed entry={entry} names={names} /> : log.unreadable}</p>
      {entry && (
        <p>
          <Instant at={Date.parse(entry.at)} />
        </p>
      )}
      <p className={classes.proof} data-proof={proof}>
        <Shape />
        {place === null ? '' : `${log.entry(place + 1)}${colon} `}
        {words.proofs[proof]}
      </p>
      {(entry ? entryFacts(entry, names) : []).map(({ name, value }) => (
        <p key={name} className={classes.detail}>
          {name}
          {colon} <Revealed text={value} />
        </p>
      ))}
    </li>
  );
}

const Deed = ({ entry, names }: { entry: NonNullable<Entry['entry']>; names: RequestRecord['names'] }) => (
  <>
    {types[entry.type] ?? entry.type}
    {colon} <Revealed text={actorName(entry.actor, names)} />
  </>
);

const shapes = { verified: Tick, waiting: Ring, broken: Cross };
