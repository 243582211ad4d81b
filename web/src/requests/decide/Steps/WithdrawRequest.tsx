import { useId } from 'react';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import type { DecisionState } from '../use-decision/use-decision.ts';
import { decide as words } from '../words/words.ts';
import classes from '../MoreSteps.module.css';

/** Ends the request without an answer: no decision, so it stands apart from the two that are. */
export function WithdrawRequest({ decision: { may, sending, decide } }: { decision: DecisionState }) {
  const id = useId();
  return (
    <div className={classes.more}>
      <div className={classes.line}>
        <p>{words.cancels}</p>
        <ReasonedButton
          permission={may.cancel}
          reasonId={id}
          isQuiet
          isSending={sending === 'cancel'}
          onPress={() => decide('cancel')}
        >
          {words.cancel}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={may.cancel} className={classes.reason} />
    </div>
  );
}
