import { useId, type ReactNode } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { colon } from '../../../language/words/words.ts';
import { Cross } from '../../../ui/icons.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import type { DecisionState } from '../use-decision/use-decision.ts';
import { useComparison } from '../MoreSteps/use-comparison.ts';
import { shortestAllowed } from '../words/url-facts/grant-terms.ts';
import { decide as words } from '../words/words.ts';
import { ApproveButton } from './ApproveButton.tsx';
import classes from '../DecisionButtons.module.css';
import { endsByOneRefusal } from './refusal.ts';

/** The two ways to vote, side by side, with what each of them does. */
export function DecisionButtons({ detail, decision }: { detail: ElicitationDetail; decision: DecisionState }) {
  const { may, sending, decide, answer, votesFor } = decision;
  const allowFor = decision.allowFor === null ? null : shortestAllowed(detail, decision.allowFor);
  const isMoved = useMoved(detail);
  const id = useId();
  const approve = answer.form.isBroken ? { allowed: false, reason: words.formBroken } : may.approve;
  const isRisky = detail.risk === 'high';
  const isSame = approve.reason === may.decline.reason;
  return (
    <>
      <dl className={classes.consequences} aria-label={words.before}>
        <Consequence verb={words.approveWord} does={words.approves(detail.progress, allowFor)}>
          {isRisky && approve.allowed && ` ${words.final}`}
          {detail.signing?.isReady && approve.allowed && (
            <>
              {' '}
              <Revealed text={words.signs(detail.tool.name)} />
            </>
          )}
        </Consequence>
        <Consequence verb={words.decline} does={words.declines(endsByOneRefusal(detail.stages))} />
      </dl>
      <div className={classes.buttons}>
        <ApproveButton
          for={votesFor?.name ?? null}
          isRisky={isRisky}
          isSigned={detail.signing !== null}
          isMoved={isMoved}
          permission={approve}
          reasonId={`${id}-approve`}
          isSending={sending === 'approve'}
          left={decision.left}
          onApprove={() => decide('approve')}
        />
        <span data-verb="decline">
          <ReasonedButton
            permission={may.decline}
            reasonId={isSame ? `${id}-approve` : `${id}-decline`}
            isSending={sending === 'decline'}
            icon={<Cross />}
            onPress={() => decide('decline')}
          >
            {words.decline}
          </ReasonedButton>
        </span>
      </div>
      {approve.reason !== null && decision.left === null && (
        <p id={`${id}-approve`} className={classes.reason}>
          {!isSame && (
            <b>
              {words.approveWord}
              {colon}{' '}
            </b>
          )}
          {approve.reason}
        </p>
      )}
      {may.decline.reason !== null && !isSame && (
        <p id={`${id}-decline`} className={classes.reason}>
          <b>
            {words.decline}
            {colon}{' '}
          </b>
          {may.decline.reason}
        </p>
      )}
    </>
  );
}

/** Do signals or earlier values stand in the card by now? */
function useMoved(detail: ElicitationDetail): boolean {
  const comparison = useComparison(detail);
  return comparison !== null && comparison.signals.length + comparison.differences.length > 0;
}

const Consequence = ({ verb, does, children }: { verb: string; does: string; children?: ReactNode }) => (
  <div>
    <dt>{verb}</dt>{' '}
    <dd>
      {does}
      {children}
    </dd>
  </div>
);
