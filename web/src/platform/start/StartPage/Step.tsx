import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formats } from '../../../language/language.ts';
import { Tick } from '../../../ui/icons.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import page from '../../../ui/Page.module.css';
import unseen from '../../../shell/Unseen.module.css';
import classes from '../Start.module.css';
import { steps as words } from '../words/words.ts';

interface StepProps<T> {
  place: number;
  words: { title: string; note: string; done: string; another?: string };
  /** What there is, from which follows whether the step is done. */
  query: UseQueryResult<T>;
  isDone: (data: T) => boolean;
  /** What became of it, if there is more to say than that it is done. */
  result?: (data: T) => ReactNode;
  children: (data: T) => ReactNode;
}

/** One step of the list, once it is known what there is. */
export const Step = <T,>({ query, isDone, result, children, ...step }: StepProps<T>) => (
  <li className={classes.step}>
    <Loaded query={query}>
      {(data) => (
        <Body {...step} isDone={isDone(data)} result={result?.(data)}>
          {children(data)}
        </Body>
      )}
    </Loaded>
  </li>
);

interface BodyProps extends Pick<StepProps<never>, 'place' | 'words'> {
  isDone: boolean;
  result: ReactNode;
  children: ReactNode;
}

/** What was done before the page was opened is folded; what is done here stays open to be read. */
function Body({ place, words: { title, note, done, another }, isDone, result, children }: BodyProps) {
  const [wasDone] = useState(isDone);
  return (
    <>
      <span className={classes.place} data-done={isDone} aria-hidden="true">
        {isDone ? <Tick /> : formats.number(place)}
      </span>
      <div className={classes.body}>
        <h2 className={page.subtitle}>
          {title} {isDone && <span className={unseen.unseen}>{words.done}</span>}
        </h2>
        <p className={page.soft}>{isDone ? (result ?? done) : note}</p>
        {wasDone ? (
          <details>
            <summary className={classes.again}>{another ?? words.again}</summary>
            <div className={classes.content}>{children}</div>
          </details>
        ) : (
          <div className={classes.content}>{children}</div>
        )}
      </div>
    </>
  );
}
