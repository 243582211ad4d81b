import { Button } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { formatProblem } from '../lib/format-problem.ts';
import classes from './Notice.module.css';
import { problems } from './words/words.ts';

interface NoticeProps {
  title: ReactNode;
  tone?: 'plain' | 'warn' | 'danger' | 'good';
  children?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** Something that happened, said in the page where it matters. It can take the focus. */
export function Notice({ title, tone = 'plain', children, ref }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} ref={ref} tabIndex={-1}>
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.body}>{children}</div>}
    </div>
  );
}

/** Says what went wrong in the problem's own sentence, what to do, and how an operator finds it. */
export function ProblemNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const errorId = error instanceof ApiProblem ? error.errorId : null;
  return (
    <div role="alert">
      <Notice tone="danger" title={formatProblem(error)}>
        {errorId !== null && <p className={classes.reference}>{problems.reference(errorId)}</p>}
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {problems.retry}
          </Button>
        )}
      </Notice>
    </div>
  );
}
