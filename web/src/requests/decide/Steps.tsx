import { Radio, Textarea, Button } from '@mantine/core';
import { useId, useState } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { useDraft } from '../../ui/carried-text.ts';
import { formatPermission } from '../../people/roles/permission-table.ts';
import { ProblemNotice, Notice, formatProblem } from '../../ui/Notice.tsx';
import { ReasonedButton, Reason } from '../../ui/ReasonedButton.tsx';
import answer from './AnswerForm.module.css';
import findingFormClasses from './BreakGlass.module.css';
import type { RequestPartProps } from './MoreSteps.tsx';
import { useSideStep } from './use-side-step.ts';
import type { BreakGlass } from '#requests/deliberation/contract/deliberation';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { call } from '../../client/call.ts';
import { Age, When } from '../../ui/Moment.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import {
  breakGlass as words,
  more as takeBackWords,
  decide as moreTimeWords,
  lookBack as lookBackNoticeWords,
  result,
  revoking as revokeStepWords,
} from './words/words.ts';
import { useNow } from '../../ui/use-now.tsx';
import classes from './MoreTime.module.css';
import type { DecisionState } from './use-decision.ts';
import { isProblemOf } from '../../client/call-api.ts';
import { NotSigned } from '../../access/passkeys/passkey.ts';
import { FreshSignIn, SigningProblem } from '../../access/factors/FreshSignIn.tsx';
import { FreshFactorsOrProblem } from '../../access/factors/FreshFactor.tsx';
import { shell } from '../../ui/words/words.ts';
import revokeStepClasses from './MoreSteps.module.css';

interface FindingFormProps extends Pick<RequestPartProps, 'detail' | 'reading'> {
  step: 'reviewBreakGlass' | 'reviewLookBack';
  words: { question: string; verdicts: Readonly<Record<string, string>>; finding: string; save: string; saved: string };
  /** Sentence for missing input; null if none is missing. */
  missing: (verdict: string, finding: string) => string | null;
  send: (verdict: string, finding: string) => Promise<ElicitationDetail>;
}

/** Form for the verdict of a later review, with the finding. */
function FindingForm({ detail, reading, step, words, missing, send }: FindingFormProps) {
  const [verdict, setVerdict] = useState('');
  const [finding, setFinding] = useDraft('finding', '', detail.id);
  const id = useId();
  const review = useSideStep(detail, reading, { send: () => send(verdict, finding.trim()), done: words.saved });
  const reason = missing(verdict, finding.trim());
  return (
    <div className={findingFormClasses.review}>
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
        <p id={id} className={findingFormClasses.why}>
          {reason}
        </p>
      )}
    </div>
  );
}

/** Shows the override of the policy, its author and reason, and takes the pending review. */
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

const ReviewForm = ({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) => (
  <FindingForm
    detail={detail}
    reading={reading}
    step="reviewBreakGlass"
    words={{
      question: words.justified,
      verdicts: { yes: words.yes, no: words.no },
      finding: words.finding,
      save: words.review,
      saved: words.reviewKept,
    }}
    missing={(verdict, finding) => (verdict === '' || finding === '' ? words.reviewMissing : null)}
    send={(verdict, finding) =>
      call(deliberationRoutes.reviewBreakGlass, {
        params: { id: detail.id },
        body: { isJustified: verdict === 'yes', finding },
      })
    }
  />
);

/** Withdrawal during the few seconds in which a complete approval has released nothing yet. */
export function TakeBack({ detail, reading, decision: { may, startOver } }: RequestPartProps) {
  const seconds = Math.ceil(((detail.settlesAt ?? 0) - useNow()) / 1_000);
  const send = useSideStep(detail, reading, {
    send: () => call(deliberationRoutes.withdrawVote, { params: { id: detail.id } }),
    done: takeBackWords.withdrawn,
    onDone: startOver,
  });
  if (detail.status !== 'open' || seconds <= 0 || !may.withdrawVote.allowed) return null;
  return (
    <>
      <Button variant="default" size="md" loading={send.isPending} onClick={() => send.mutate(undefined)}>
        {takeBackWords.takeBack(seconds)}
      </Button>
      {send.isError && <ProblemNotice error={send.error} />}
    </>
  );
}

const hour = 3_600_000;

export function MoreTime({ decision: { may, extend } }: { decision: DecisionState }) {
  const id = useId();
  return (
    <div className={classes.more}>
      <h3 className={classes.title}>{moreTimeWords.more}</h3>
      <ReasonedButton permission={may.extend} reasonId={id} isQuiet onPress={() => extend(hour)}>
        {moreTimeWords.hour}
      </ReasonedButton>
      <ReasonedButton permission={may.extend} reasonId={id} isQuiet onPress={() => extend(24 * hour)}>
        {moreTimeWords.day}
      </ReasonedButton>
      <Reason id={id} permission={may.extend} className={classes.reason} />
    </div>
  );
}

/** Tells that this was allowed and chosen for a later look, and takes the finding. */
export function LookBackNotice({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) {
  const { lookBack } = detail;
  if (lookBack === null) return null;
  const { review } = lookBack;
  return (
    <Notice tone={review?.shouldHaveAsked ? 'warn' : 'plain'} title={lookBackNoticeWords.chosen}>
      {review === null ? (
        <p>{lookBackNoticeWords.open}</p>
      ) : (
        <p>
          <Revealed text={lookBackNoticeWords.reviewed(review.by.name, review.shouldHaveAsked)} />{' '}
          <Revealed text={review.finding} /> · <Age at={review.at} />
        </p>
      )}
      {detail.can.reviewLookBack.allowed && <LookBackNoticeReviewForm detail={detail} reading={reading} />}
    </Notice>
  );
}

const LookBackNoticeReviewForm = ({ detail, reading }: Pick<RequestPartProps, 'detail' | 'reading'>) => (
  <FindingForm
    detail={detail}
    reading={reading}
    step="reviewLookBack"
    words={{ ...lookBackNoticeWords, verdicts: { right: lookBackNoticeWords.right, wrong: lookBackNoticeWords.wrong } }}
    missing={(verdict, finding) =>
      verdict === ''
        ? lookBackNoticeWords.missing
        : verdict === 'wrong' && finding === ''
          ? lookBackNoticeWords.noteMissing
          : null
    }
    send={(verdict, finding) =>
      call(deliberationRoutes.reviewLookBack, {
        params: { id: detail.id },
        body: { shouldHaveAsked: verdict === 'wrong', finding },
      })
    }
  />
);

/** Problem of the last step. Errors of single fields are shown at the fields. */
export function StepProblem({ decision }: { decision: DecisionState }) {
  const { problem, answer, tryAgain } = decision;
  if (problem === null) return null;
  if (isProblemOf(problem, 'fresh-sign-in-needed'))
    return <FreshSignIn onDone={tryAgain} acr={problem.refusal?.values?.['acr']} />;
  if (isProblemOf(problem, 'second-factor-needed')) return <FreshFactorsOrProblem error={problem} onDone={tryAgain} />;
  if (problem instanceof NotSigned) return <SigningProblem error={problem} />;
  const sentence = explain(decision);
  if (sentence === null) return <ProblemNotice error={problem} />;
  return (
    <div role="alert">
      <Notice tone="warn" title={sentence}>
        {answer.otherFaults.length > 0 && answer.otherFaults.join(' ')}
        {isProblemOf(problem, 'unauthenticated') && (
          <a href="/signin" target="_blank" rel="noopener">
            {shell.signInAgain}
          </a>
        )}
      </Notice>
    </div>
  );
}

function explain({ problem, isMissing }: DecisionState): string | null {
  if (isProblemOf(problem, 'already-closed')) return result.notCounted(formatProblem(problem));
  if (isProblemOf(problem, 'already-voted')) return result.alreadyVoted;
  if (isProblemOf(problem, 'unauthenticated')) return result.signedOut;
  if (isProblemOf(problem, 'unavailable')) return isMissing ? result.missing : result.unsure;
  if (isProblemOf(problem, 'digest-mismatch') || isProblemOf(problem, 'INVALID_INPUT')) return formatProblem(problem);
  return null;
}

/** Revokes an approval before it begins to run; afterwards shows its outcome. */
export function RevokeStep({ detail, reading, decision: { may } }: RequestPartProps) {
  const { id, digest, lapse } = detail;
  const send = useSideStep(detail, reading, {
    send: () => call(deliberationRoutes.revokeApproval, { params: { id }, body: { digest } }),
    done: revokeStepWords.done,
  });
  if (lapse !== null) return <p role="status">{revokeStepWords.lapses[lapse]}</p>;
  if (!may.revoke.allowed) return null;
  return (
    <div className={revokeStepClasses.line}>
      {send.isError && <ProblemNotice error={send.error} />}
      <p>{revokeStepWords.note}</p>
      <ReasonedButton
        permission={may.revoke}
        reasonId=""
        isQuiet
        isSending={send.isPending}
        onPress={() => send.mutate(undefined)}
      >
        {revokeStepWords.revoke}
      </ReasonedButton>
    </div>
  );
}

/** Ends the request without an answer: it is no vote, so it stands apart from the two buttons. */
export function WithdrawRequest({ decision: { may, sending, decide } }: { decision: DecisionState }) {
  const id = useId();
  return (
    <div className={revokeStepClasses.more}>
      <div className={revokeStepClasses.line}>
        <p>{moreTimeWords.cancels}</p>
        <ReasonedButton
          permission={may.cancel}
          reasonId={id}
          isQuiet
          isSending={sending === 'cancel'}
          onPress={() => decide('cancel')}
        >
          {moreTimeWords.cancel}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={may.cancel} className={revokeStepClasses.reason} />
    </div>
  );
}
