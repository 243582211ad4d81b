import { Button } from '@mantine/core';
import { createContext, useContext, useState, type ComponentType, type ReactNode, type Ref } from 'react';
import { ApiProblem, isProblemOf } from '../../client/call-api.ts';
import { formatProblem } from './format-problem.ts';
import classes from '../Notice.module.css';
import { fresh } from '../words/passkey-words.ts';
import { problems } from '../words/words.ts';

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

/** Takes the proof that an act lacked, wherever it is refused. */
export const MissingProof = createContext<ComponentType<{ error: unknown; onDone: () => void }> | null>(null);

/**
 * Says what went wrong in the problem's own sentence, what to do, and how an operator finds it. If only a proof of who this is
 * was missing, it can be given here, and the person presses the same button afterwards.
 */
export function ProblemNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const [solved, setSolved] = useState<unknown>(null);
  const Proof = useContext(MissingProof);
  if (error === solved) return <Notice tone="good" title={fresh.done} />;
  const needsProof = isProblemOf(error, 'fresh-sign-in-needed') || isProblemOf(error, 'second-factor-needed');
  if (Proof && needsProof) return <Proof error={error} onDone={() => setSolved(error)} />;
  return <PlainProblem error={error} {...(onRetry && { onRetry })} />;
}

function PlainProblem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
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
