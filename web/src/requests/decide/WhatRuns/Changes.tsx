import { Button } from '@mantine/core';
import { useState } from 'react';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import classes from '../Revisions.module.css';
import { revisions as words, what } from '../words/words.ts';
import { describeSize, previewOf } from './argument-preview.ts';

interface ChangesProps {
  /** What was added has no `before`, what was removed no `after`. */
  changes: { name: string; before?: unknown; after?: unknown }[];
}

/** Values before and after, next to each other. */
export const Changes = ({ changes }: ChangesProps) => (
  <dl className={classes.changes}>
    {changes.map(({ name, before, after }) => (
      <div key={name} className={classes.change}>
        <dt>
          <Revealed text={name} />
        </dt>
        <dd className={classes.before}>
          {before !== undefined && (
            <>
              <span aria-hidden="true">− </span>
              <span className={unseen.unseen}>{words.before}: </span>
              <del>
                <Value text={say(before)} />
              </del>
            </>
          )}
        </dd>
        <dd className={classes.after}>
          {after !== undefined && (
            <>
              <span aria-hidden="true">+ </span>
              <span className={unseen.unseen}>{words.after}: </span>
              <ins>
                <Value text={say(after)} />
              </ins>
            </>
          )}
        </dd>
      </div>
    ))}
  </dl>
);

/** A long one shows its beginning until it is opened: the arguments themselves stand above. */
function Value({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const preview = previewOf(text);
  if (isOpen || preview === text) return <Revealed text={text} />;
  return (
    <>
      <Revealed text={text} most={Array.from(preview).length} />
      <Button variant="subtle" onClick={() => setIsOpen(true)}>
        {what.open(describeSize(text))}
      </Button>
    </>
  );
}

const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
