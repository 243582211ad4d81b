import { Textarea } from '@mantine/core';
import { useId, type Ref } from 'react';
import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { shared } from '../../../lib/language/language.ts';
import { AllowFor } from './AllowFor.tsx';
import { AnswerForm } from '../form/AnswerForm.tsx';
import { DecisionCard } from './DecisionCard.tsx';
import { DecisionButtons } from './DecisionButtons.tsx';
import classes from './DecidePanel.module.css';
import { MoreSteps } from '../deliberate/MoreSteps.tsx';
import { MoreTime } from '../deliberate/MoreTime.tsx';
import { StepProblem } from '../deliberate/StepProblem.tsx';
import type { DecisionState } from '../state/use-decision.ts';
import { useDecisionKeys } from './use-decision-keys.ts';
import type { Reading } from '../state/use-reading.ts';
import view from '../form/RequestView.module.css';
import { VoteAs } from './VoteAs.tsx';
import { decide as words } from '../words/words.ts';

interface DecidePanelProps {
  detail: ElicitationDetail;
  decision: DecisionState;
  reading: Reading;
  ref: Ref<HTMLElement>;
}

/** The form, what each verb does, and the verbs: in the page, side by side, none of them louder. */
export function DecidePanel({ detail, decision, reading, ref }: DecidePanelProps) {
  const { answer } = decision;
  const armed = useDecisionKeys(detail, decision);
  const id = useId();
  return (
    <section
      ref={ref}
      aria-labelledby={id}
      className={`${view.decide} ${classes.panel} ${classes.split}`}
      data-form={Object.keys(answer.form.schema.properties).length > 0}
    >
      <div ref={answer.container} className={classes.fields}>
        <h2 id={id} tabIndex={-1} className={classes.title}>
          {words.title}
        </h2>
        <StepProblem decision={decision} />
        <VoteAs detail={detail} decision={decision} />
        <AnswerForm answer={answer} isAnswerable={detail.can.vote.allowed || decision.votesFor !== null} />
        <AllowFor detail={detail} decision={decision} />
        <Textarea
          label={words.comment}
          description={
            answer.reasonRule === null ? words.commentNote : words.commentRule(shared.clause(answer.reasonRule))
          }
          value={answer.comment}
          onChange={(event) => answer.setComment(event.currentTarget.value)}
          error={answer.commentFault}
          maxLength={4000}
          rows={3}
          autoComplete="off"
        />
      </div>
      <div className={classes.verbs}>
        <DecisionCard detail={detail} />
        <DecisionButtons detail={detail} decision={decision} />
        {armed !== null && <p className={classes.armed}>{armed}</p>}
        <MoreTime decision={decision} />
        <MoreSteps detail={detail} reading={reading} decision={decision} />
      </div>
    </section>
  );
}
