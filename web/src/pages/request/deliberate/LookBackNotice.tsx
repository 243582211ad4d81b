import { Radio, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { reviewLookBack } from '../../../api/elicitations.ts';
import { useDraft } from '../../../lib/carried-text.ts';
import { formatPermission } from '../../../lib/permission-table.ts';
import { Age } from '../../../ui/Moment.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import answer from '../form/AnswerForm.module.css';
import classes from './BreakGlass.module.css';
import type { RequestPartProps } from '../state/request-part-props.ts';
import { useSideStep } from '../state/use-side-step.ts';
import { lookBack as words } from '../words/words.ts';

/** Says that this was allowed and chosen for a later look, and takes what the person who looks finds. */
export function LookBackNotice({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) {
  const { lookBack } = detail;
  if (lookBack === null) return null;
  const { review } = lookBack;
  return (
    <Notice tone={review?.shouldHaveAsked ? 'warn' : 'plain'} title={words.chosen}>
      {review === null ? (
        <p>{words.open}</p>
      ) : (
        <p>
          <Revealed text={words.reviewed(review.by.name, review.shouldHaveAsked)} /> <Revealed text={review.finding} />{' '}
          · <Age at={review.at} />
        </p>
      )}
      {detail.can.reviewLookBack.allowed && <FindingForm detail={detail} reading={reading} />}
    </Notice>
  );
}

function FindingForm({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) {
  const [verdict, setVerdict] = useState('');
  const [finding, setFinding] = useDraft('finding', '', detail.id);
  const id = useId();
  const shouldHaveAsked = verdict === 'wrong';
  const send = useSideStep(detail, reading, {
    send: () => reviewLookBack(detail.id, { shouldHaveAsked, finding: finding.trim() }),
    done: words.saved,
  });
  const missing = verdict === '' ? words.missing : shouldHaveAsked && finding.trim() === '' ? words.noteMissing : null;
  return (
    <div className={classes.review}>
      <Radio.Group label={words.question} value={verdict} onChange={setVerdict}>
        <div className={answer.choice}>
          <Radio value="right" label={words.right} className={answer.option} />
          <Radio value="wrong" label={words.wrong} className={answer.option} />
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
      {send.isError && <ProblemNotice error={send.error} />}
      <div>
        <ReasonedButton
          permission={
            missing === null ? formatPermission(detail.can.reviewLookBack) : { allowed: false, reason: missing }
          }
          reasonId={id}
          isSending={send.isPending}
          onPress={() => send.mutate(undefined)}
        >
          {words.save}
        </ReasonedButton>
      </div>
      {missing !== null && (
        <p id={id} className={classes.why}>
          {missing}
        </p>
      )}
    </div>
  );
}
