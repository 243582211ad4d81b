import { Button } from '@mantine/core';
import { createContext, useContext, useState, type ComponentType, type ReactNode, type Ref } from 'react';
import { ApiProblem, isProblemOf } from '../client/call-api.ts';
import classes from './Notice.module.css';
import { fresh } from './words/passkey-words.ts';
import { problems } from './words/words.ts';
import { Problem, problemSentences } from '#platform/model/problem';
import { formatRefusal, type Refusal } from '#requests/inbox/contract/refusal';
import { language, shared } from '../language/language.ts';
import { answers } from '../language/words/words.ts';

interface NoticeProps {
  title: ReactNode;
  tone?: 'plain' | 'warn' | 'danger' | 'good';
  children?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** Notice in the page. It can take the focus. */
export function Notice({ title, tone = 'plain', children, ref }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} ref={ref} tabIndex={-1}>
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.body}>{children}</div>}
    </div>
  );
}

/** Component that takes the missing proof of an act, wherever it is refused. */
export const MissingProof = createContext<ComponentType<{ error: unknown; onDone: () => void }> | null>(null);

/**
 * Shows a problem in its own sentence, with the remedy and the id for an operator. If only a proof of identity was missing, it
 * can be given here, and the person presses the same button afterwards.
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

/** Problem in the reader's language. Details only in English follow the sentence of their code. */
export function formatProblem(error: unknown): string {
  if (!(error instanceof Problem)) return answers.unknown;
  if (error instanceof ApiProblem && error.isUnreadable) return answers.unreadable;
  if (error.refusal) return formatInWords(error.refusal);
  const own = ownSentences[error.code];
  if (own) return own;
  const sentence = shared.problems[error.code];
  if (error.message === problemSentences[error.code]) return sentence;
  return language === 'en' ? error.message : `${sentence} ${error.message}`;
}

export const formatInWords = (refusal: Refusal): string => formatRefusal(refusal, shared.refusals);

/** Sentences for people that differ from those for servers. */
const ownSentences: Partial<Record<Problem['code'], string>> = {
  unauthenticated: answers.signedOut,
  INVALID_INPUT: answers.invalid,
  'database-unavailable': answers.unavailable,
  'write-conflict': answers.conflict,
};
