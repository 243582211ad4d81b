import { Radio, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { BreakGlass } from '#protocol/contract/console/deliberation';
import { reviewBreakGlass } from '../../../api/elicitations.ts';
import { useDraft } from '../../../lib/carried-text.ts';
import { formatPermission } from '../../../lib/permission-table.ts';
import { Age, When } from '../../../ui/Moment.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import answer from '../form/AnswerForm.module.css';
import classes from './BreakGlass.module.css';
import type { RequestPartProps } from '../state/request-part-props.ts';
import { useSideStep } from '../state/use-side-step.ts';
import { breakGlass as words } from '../words/words.ts';

/** Says that the policy was passed by, by whom and why, and takes the review that is due. */
export function BreakGlassNotice({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) {
  const { breakGlass } = detail;
  if (breakGlass === null) return null;
  return (
    <Notice tone="danger" title={<Revealed text={words.used(breakGlass.by.name)} />}>
      <p>
        <Revealed text={breakGlass.reason} /> · <Age at={breakGlass.at} />
      </p>
      {breakGlass.review === null ? (
        <p>
          {words.due} <When at={breakGlass.reviewDueAt} />
        </p>
      ) : (
        <Review review={breakGlass.review} />
      )}
      {detail.can.reviewBreakGlass.allowed && <ReviewForm detail={detail} reading={reading} />}
    </Notice>
  );
}

const Review = ({ review }: { review: NonNullable<BreakGlass['review']> }) => (
  <p>
    <Revealed text={words.reviewed(review.by.name, review.isJustified)} /> <Revealed text={review.finding} /> ·{' '}
    <Age at={review.at} />
  </p>
);

function ReviewForm({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) {
  const [verdict, setVerdict] = useState('');
  const [finding, setFinding] = useDraft('finding', '', detail.id);
  const id = useId();
  const send = useSideStep(detail, reading, {
    send: () => reviewBreakGlass(detail.id, { isJustified: verdict === 'yes', finding: finding.trim() }),
    done: words.reviewKept,
  });
  const isReady = verdict !== '' && finding.trim() !== '';
  return (
    <div className={classes.review}>
      <Radio.Group label={words.justified} value={verdict} onChange={setVerdict}>
        <div className={answer.choice}>
          <Radio value="yes" label={words.yes} className={answer.option} />
          <Radio value="no" label={words.no} className={answer.option} />
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
            isReady ? formatPermission(detail.can.reviewBreakGlass) : { allowed: false, reason: words.reviewMissing }
          }
          reasonId={id}
          isSending={send.isPending}
          onPress={() => send.mutate(undefined)}
        >
          {words.review}
        </ReasonedButton>
      </div>
      {!isReady && (
        <p id={id} className={classes.why}>
          {words.reviewMissing}
        </p>
      )}
    </div>
  );
}
