import { Button, Textarea, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { sentences } from '../../../language/sentences.ts';
import { RiskMark } from '../../../ui/marks.tsx';
import { TimeLeft } from '../../../ui/Moment.tsx';
import { MoreSteps } from '../MoreSteps/MoreSteps.tsx';
import { MoreTime } from '../Steps/MoreTime.tsx';
import { StepProblem } from '../Steps/StepProblem.tsx';
import { WithdrawRequest } from '../Steps/WithdrawRequest.tsx';
import { AnswerForm } from '../FieldControl/AnswerForm.tsx';
import view from '../RequestView.module.css';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { cardPart } from '../use-answer/parts-to-see.ts';
import { standsInCard } from '../decision-table/what-is-left.ts';
import { partStart } from '../DecisionCard/PartEnd.tsx';
import { decide as words } from '../words/words.ts';
import { AllowFor } from './AllowFor.tsx';
import classes from '../DecidePanel.module.css';
import { DecisionButtons } from '../DecisionButtons/DecisionButtons.tsx';
import { DecisionCard } from '../DecisionCard/DecisionCard.tsx';
import { useDecisionKeys } from '../use-decision-keys/use-decision-keys.ts';
import { useSheetHeight } from '../use-decision-keys/use-sheet-height.ts';
import { VoteAs } from '../use-decision-keys/VoteAs.tsx';

/** The card on which one decides, and below it everything else that can be done with the request. */
export function DecidePanel({ detail, decision, reading }: RequestPartProps) {
  return (
    <div className={`${view.decide} ${classes.side}`}>
      <Card detail={detail} decision={decision} />
      <div className={classes.more}>
        <MoreTime decision={decision} />
        <MoreSteps detail={detail} reading={reading} decision={decision} />
        <WithdrawRequest decision={decision} />
      </div>
    </div>
  );
}

/**
 * What is decided and the buttons, in one block that never parts: next to the text, or as a sheet at the bottom of a
 * narrow screen. Folded, the sheet has no buttons, so that no one decides without seeing what.
 */
function Card({ detail, decision }: Omit<RequestPartProps, 'reading'>) {
  const { isFolded, setFolded } = decision;
  const armed = useDecisionKeys(detail, decision);
  const sheet = useRef<HTMLElement>(null);
  useSheetHeight(sheet);
  const id = useId();
  return (
    <section
      ref={sheet}
      id="decision"
      tabIndex={-1}
      aria-labelledby={id}
      className={classes.card}
      data-decision-card=""
      data-folded={isFolded && armed === null}
    >
      <div className={classes.head}>
        <h2 id={id} tabIndex={-1} className={classes.title}>
          {words.title}
        </h2>
        <span data-part="risk">
          <RiskMark risk={detail.risk} />
        </span>
        <span data-part="deadline">
          <TimeLeft until={detail.deadlineAt} />
        </span>
        <Button
          variant="subtle"
          color="gray"
          className={classes.fold}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          {isFolded ? words.unfold : words.fold}
        </Button>
      </div>
      <div className={classes.body}>
        <StepProblem decision={decision} />
        <div className={classes.half} {...partStart(cardPart)}>
          <DecisionCard detail={detail} />
        </div>
        <div className={classes.half}>
          <CardAnswers detail={detail} decision={decision} />
          <Confirmations detail={detail} decision={decision} />
          <Terms detail={detail} decision={decision} />
          <DecisionButtons detail={detail} decision={decision} />
          {armed !== null && <p className={classes.armed}>{armed}</p>}
        </div>
      </div>
    </section>
  );
}

/** One or two choices are answered where they are decided. */
function CardAnswers({ detail, decision: { answer, votesFor } }: Omit<RequestPartProps, 'reading'>) {
  if (!standsInCard(answer.form.schema)) return null;
  return (
    <div data-answer="" className={classes.answers}>
      <AnswerForm answer={answer} isAnswerable={detail.can.vote.allowed || votesFor !== null} />
    </div>
  );
}

/** What the policy has approvers type, so that they name what is at stake. */
function Confirmations({ detail, decision: { answer, votesFor } }: Omit<RequestPartProps, 'reading'>) {
  if (!detail.can.vote.allowed && votesFor === null) return null;
  return answer.texts.map((text, at) => (
    <div key={text} data-answer="" data-fault={answer.isUntyped(text)}>
      <TextInput
        label={words.toType(text)}
        value={answer.typed[at] ?? ''}
        onChange={(event) => answer.setTyped(at, event.currentTarget.value)}
        error={answer.isUntyped(text)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </div>
  ));
}

/** What goes along with the vote. On a narrow screen it opens if it is needed. */
function Terms({ detail, decision }: Omit<RequestPartProps, 'reading'>) {
  const { answer } = decision;
  const [isWanted, setIsWanted] = useState(false);
  const isOpen = isWanted || answer.comment !== '' || answer.reasonRule !== null || Boolean(answer.commentFault);
  return (
    <>
      {!isOpen && (
        <Button variant="subtle" className={classes.open} aria-expanded={false} onClick={() => setIsWanted(true)}>
          {detail.standsInFor.length > 0 || detail.policy.grant !== null ? words.openTerms : words.openComment}
        </Button>
      )}
      <div className={classes.terms} data-open={isOpen} data-answer="">
        <VoteAs detail={detail} decision={decision} />
        <AllowFor detail={detail} decision={decision} />
        <div data-fault={Boolean(answer.commentFault)}>
          <Textarea
            label={words.comment}
            description={
              answer.reasonRule === null ? words.commentNote : words.commentRule(sentences.clause(answer.reasonRule))
            }
            value={answer.comment}
            onChange={(event) => answer.setComment(event.currentTarget.value)}
            error={answer.commentFault}
            maxLength={4000}
            rows={2}
            autoComplete="off"
          />
        </div>
      </div>
    </>
  );
}
