import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { RequestRecord as Record } from '#audit/search/contract';
import { colon } from '../../../language/words/words.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { Printed } from '../Instant/Printed.tsx';
import { record as words } from '../words/words.ts';
import classes from '../Record.module.css';
import { RecordEntries } from './RecordEntries.tsx';
import { RecordFacts } from './RecordFacts.tsx';
import { RecordProof } from './RecordProof.tsx';
import { RecordVotes } from './RecordVotes.tsx';

/** The record of a request on the screen, and the receipt with names on paper. */
export function RequestRecord({ record }: { record: Record }) {
  const print = (
    <Button variant="default" className={classes.screen} onClick={() => window.print()}>
      {words.print}
    </Button>
  );
  const heading = <Revealed text={words.of(record.tool)} />;
  const isBroken = record.entries.some(({ proof }) => proof === 'broken');
  return (
    <article className={classes.record}>
      <PageHead title={words.of(record.tool)} heading={heading} lead={words.lead} back={back} action={print} />
      {isBroken && (
        <Notice tone="danger" title={words.broken}>
          <p>{words.brokenNote}</p>
        </Notice>
      )}
      <RecordFacts record={record} />
      <p className={classes.screen}>
        <Link to={`/requests/${record.id}`}>{words.content}</Link>
        {colon} {words.contentNote}
      </p>
      <RecordVotes record={record} />
      <RecordEntries record={record} />
      <RecordProof record={record} />
      <Printed />
    </article>
  );
}

const back = { to: '/audit/log', text: words.back };
