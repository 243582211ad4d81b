import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { DecisionState } from '../use-decision/use-decision.ts';
import { decide as words } from '../words/words.ts';
import classes from '../AnswerForm.module.css';
import { standsInCard } from '../decision-table/what-is-left.ts';
import { AnswerForm } from './AnswerForm.tsx';
import { Section } from '../Section.tsx';

/** What the tool needs to know, in the main column if there is room for it; nothing if it needs nothing. */
export function AnswerSection({ detail, decision }: { detail: ElicitationDetail; decision: DecisionState }) {
  const { answer, votesFor } = decision;
  const { schema, isBroken } = answer.form;
  if ((Object.keys(schema.properties).length === 0 && !isBroken) || standsInCard(schema)) return null;
  const required = schema.required ?? [];
  const count = required.filter((name) => Object.hasOwn(answer.content, name)).length;
  return (
    <Section title={words.form}>
      <div data-answer="" className={classes.section}>
        {required.length > 0 && <p className={classes.description}>{words.given(count, required.length)}</p>}
        <AnswerForm answer={answer} isAnswerable={detail.can.vote.allowed || votesFor !== null} />
      </div>
    </Section>
  );
}
