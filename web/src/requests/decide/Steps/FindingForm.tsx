import { Radio, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { useDraft } from '../../../ui/carried-text.ts';
import { formatPermission } from '../../../people/roles/permission-table.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import answer from '../AnswerForm.module.css';
import classes from '../BreakGlass.module.css';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { useSideStep } from '../use-side-step.ts';

interface FindingFormProps extends Pick<RequestPartProps, 'detail' | 'reading'> {
  step: 'reviewBreakGlass' | 'reviewLookBack';
  words: { question: string; verdicts: Readonly<Record<string, string>>; finding: string; save: string; saved: string };
  /** What is missing before it can be sent; null if nothing is. */
  missing: (verdict: string, finding: string) => string | null;
  send: (verdict: string, finding: string) => Promise<ElicitationDetail>;
}

/** Takes the verdict of a later review, and what the reviewer found. */
export function FindingForm({ detail, reading, step, words, missing, send }: FindingFormProps) {
  const [verdict, setVerdict] = useState('');
  const [finding, setFinding] = useDraft('finding', '', detail.id);
  const id = useId();
  const review = useSideStep(detail, reading, { send: () => send(verdict, finding.trim()), done: words.saved });
  const reason = missing(verdict, finding.trim());
  return (
    <div className={classes.review}>
      <Radio.Group label={words.question} value={verdict} onChange={setVerdict}>
        <div className={answer.choice}>
          {Object.entries(words.verdicts).map(([value, label]) => (
            <Radio key={value} value={value} label={label} className={answer.option} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={words.finding}
        value={finding}
        onChange={(event) => setFinding(event.currentTarget.value)}
        maxLength={4000}
        rows={2}
        autoComplete="off"
      />
      {review.isError && <ProblemNotice error={review.error} />}
      <div>
        <ReasonedButton
          permission={reason === null ? formatPermission(detail.can[step]) : { allowed: false, reason }}
          reasonId={id}
          isSending={review.isPending}
          onPress={() => review.mutate(undefined)}
        >
          {words.save}
        </ReasonedButton>
      </div>
      {reason !== null && (
        <p id={id} className={classes.why}>
          {reason}
        </p>
      )}
    </div>
  );
}
