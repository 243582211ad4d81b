import { useMutation } from '@tanstack/react-query';
import { useState, type DragEvent } from 'react';
import { Link } from 'react-router';
import type { VerifiedReceipt } from '#audit/search/contract';
import { maxReceiptLength } from '#audit/reports/contract/report';
import { verifyReceipt } from '../audit.ts';
import { describeMoment } from '../../../ui/relative-time.ts';
import { Fact, FactList } from '../../../ui/FactList.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { namePolicy } from '../../../ui/words/words.ts';
import { actorName } from '../actor-name.ts';
import classes from '../Audit.module.css';
import { codes, receipt as words, types } from '../words/words.ts';

/** Takes a receipt and says whether this installation issued it, and what it proves. */
export function ReceiptCheck() {
  const [isOver, setIsOver] = useState(false);
  const check = useMutation({
    mutationFn: async (file: File) => (file.size > maxReceiptLength ? null : verifyReceipt(await file.text())),
  });
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) check.mutate(file);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const onDragOver = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <section aria-labelledby="receipt" className={classes.receipt}>
      <h2 id="receipt" className={page.subtitle}>
        {words.title}
      </h2>
      <label
        className={classes.drop}
        data-over={isOver}
        onDragOver={onDragOver}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <span>{words.note}</span>
        <input
          type="file"
          aria-label={words.choose}
          accept=".tlog-proof,text/plain"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = ''; // the same file can be chosen again
          }}
        />
      </label>
      <div role="status">
        {check.isError && <ProblemNotice error={check.error} />}
        {check.data === null && <Notice tone="warn" title={words.tooLong} />}
        {check.data && <Verdict verified={check.data} fileName={check.variables.name} />}
      </div>
    </section>
  );
}

const tones = { genuine: 'good', altered: 'danger' } as const;

interface VerdictProps {
  verified: VerifiedReceipt;
  /** Of several that were dropped the first; one after the other they look alike. */
  fileName: string;
}

function Verdict({ verified: { verdict, origin, proven, names }, fileName }: VerdictProps) {
  const tone = verdict === 'genuine' || verdict === 'altered' ? tones[verdict] : 'warn';
  return (
    <Notice tone={tone} title={words.verdicts[verdict]}>
      <p className={page.small}>
        <Revealed text={fileName} />
      </p>
      {verdict !== 'genuine' && <p>{words.notes[verdict]}</p>}
      {verdict === 'not-ours' && origin !== null && (
        <p>
          <Revealed text={words.from(origin)} />
        </p>
      )}
      {proven && <Proven proven={proven} names={names} />}
    </Notice>
  );
}

function Proven({
  proven: { place, size, entry },
  names,
}: Pick<VerifiedReceipt, 'names'> & { proven: NonNullable<VerifiedReceipt['proven']> }) {
  const textOf = (name: string): string => (typeof entry[name] === 'string' ? entry[name] : '');
  const outcome = codes['outcome']?.[textOf('to')];
  const facts: [string, string][] = [
    [words.outcome, [outcome, types[entry.type] ?? entry.type].filter((part) => part !== undefined).join(' · ')],
    [words.by, actorName(entry.actor, names)],
    [words.when, describeMoment(Date.parse(entry.at))],
    [words.tool, [textOf('tool'), textOf('serverName')].filter((part) => part !== '').join(' · ')],
    [words.policy, namePolicy(textOf('policy'))],
    [words.digest, textOf('digest')],
    [words.place, words.placeOf(place + 1, size)],
  ];
  return (
    <FactList>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          <Revealed text={value} />
        </Fact>
      ))}
      <Fact name={words.request}>
        <Link to={`/audit/requests/${textOf('elicitation')}`} className={classes.id}>
          {textOf('elicitation')}
        </Link>
      </Fact>
    </FactList>
  );
}
