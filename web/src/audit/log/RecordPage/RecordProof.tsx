import type { RequestRecord } from '#audit/search/contract';
import page from '../../../ui/Page.module.css';
import { ProofNotice } from '../ProofNotice.tsx';
import { record as words } from '../words/words.ts';
import { Code, Fact, FactList } from '../../../ui/FactList.tsx';
import classes from '../Record.module.css';

/** The signed head that the entries were verified against, and how anyone verifies them again. */
export function RecordProof({ record: { id, status, head } }: { record: RequestRecord }) {
  return (
    <section aria-label={words.proof} className={classes.section}>
      <h2 className={page.subtitle}>{words.proof}</h2>
      {head && (
        <FactList>
          <Fact name={words.head}>{words.size(head.size)}</Fact>
          <Fact name={words.root}>
            <Code text={head.root} />
          </Fact>
        </FactList>
      )}
      <ProofNotice />
      <p>{words.offline}</p>
      <p>
        <Code text={`assentry receipt verify ${id}.tlog-proof --key KEY`} />
      </p>
      {status !== 'open' && (
        <a href={`/api/elicitations/${id}/receipt`} download className={classes.screen}>
          {words.receipt}
        </a>
      )}
    </section>
  );
}
