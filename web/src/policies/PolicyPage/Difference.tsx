import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { differenceOf, wholeWords, type DifferenceBlock, type DifferenceLine } from './difference.ts';
import { RevealedCode } from './RevealedCode.tsx';
import unseen from '../../shell/Unseen.module.css';
import classes from '../Difference.module.css';
import { difference as words } from '../words/words.ts';

interface DifferenceProps {
  before: string;
  after: string;
  /** What the two sides are called. */
  names: { before: string; after: string };
}

/** Two texts side by side, or one above the other on a narrow screen; equal parts are folded. */
export function Difference({ before, after, names }: DifferenceProps) {
  const blocks = useMemo(() => differenceOf(before, after), [before, after]);
  if (before === after) return <p>{words.none}</p>;
  return (
    <div className={classes.difference}>
      <div className={classes.names} aria-hidden="true">
        <span>{names.before}</span>
        <span>{names.after}</span>
      </div>
      {blocks.map((block, at) =>
        block.kind === 'same' ? (
          <SameLines key={at} lines={block.lines} isFirst={at === 0} isLast={at === blocks.length - 1} />
        ) : (
          <Change key={at} block={block} names={names} />
        ),
      )}
    </div>
  );
}

/** Lines kept around a change, so that its place is known. */
const context = 3;

function SameLines({ lines, isFirst, isLast }: { lines: DifferenceLine[]; isFirst: boolean; isLast: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const head = isFirst ? 0 : context;
  const tail = isLast ? 0 : context;
  const folded = lines.length - head - tail;
  if (isOpen || folded <= context) return <Lines lines={lines} />;
  return (
    <>
      <Lines lines={lines.slice(0, head)} />
      <Button variant="subtle" color="gray" size="compact-sm" className={classes.fold} onClick={() => setIsOpen(true)}>
        {words.equal(folded)}
      </Button>
      <Lines lines={lines.slice(lines.length - tail)} />
    </>
  );
}

function Change({ block, names }: { block: DifferenceBlock & { kind: 'change' }; names: DifferenceProps['names'] }) {
  return (
    <div className={classes.change}>
      <div className={classes.removed}>
        {block.removed.length > 0 && <Side lines={block.removed} sign="−" word={`${words.removed}, ${names.before}`} />}
      </div>
      <div className={classes.added}>
        {block.added.length > 0 && <Side lines={block.added} sign="+" word={`${words.added}, ${names.after}`} />}
      </div>
    </div>
  );
}

function Side({ lines, sign, word }: { lines: DifferenceLine[]; sign: '+' | '−'; word: string }) {
  return (
    <>
      <span className={unseen.unseen}>{word}:</span>
      <Lines lines={lines} sign={sign} />
    </>
  );
}

const Lines = ({ lines, sign }: { lines: DifferenceLine[]; sign?: '+' | '−' }) => (
  <pre className={classes.lines}>
    {lines.map(({ number, parts }) => (
      <span key={number} className={classes.line}>
        <span className={classes.number} aria-hidden="true">
          {number}
        </span>
        <span className={classes.sign} aria-hidden="true">
          {sign}
        </span>
        <span className={classes.text}>
          <Parts parts={parts} />
          {'\n'}
        </span>
      </span>
    ))}
  </pre>
);

/** What runs is compared, so what the eye would miss is spelled out; a word is judged whole, also if one letter of it changed. */
function Parts({ parts }: Pick<DifferenceLine, 'parts'>) {
  const line = parts.map(({ text }) => text).join('');
  return wholeWords(parts).map(({ text, isChanged }, at) => {
    const shown = <RevealedCode text={text} line={line} />;
    return isChanged ? <mark key={at}>{shown}</mark> : <span key={at}>{shown}</span>;
  });
}
