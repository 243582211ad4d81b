import { useId } from 'react';
import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import type { Verb } from '../state/decision-table.ts';
import { shortestAllowed } from '../words/grant-terms.ts';
import { endsByOneRefusal } from './refusal.ts';
import { Cross, Stop, Tick } from '../../../ui/icons.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './DecisionButtons.module.css';
import type { DecisionState } from '../state/use-decision.ts';
import { decide as words } from '../words/words.ts';

interface DecisionButtonsProps {
  detail: ElicitationDetail;
  decision: DecisionState;
}

export function DecisionButtons({ detail, decision }: DecisionButtonsProps) {
  const { may, sending, decide, answer } = decision;
  const allowFor = decision.allowFor === null ? null : shortestAllowed(detail, decision.allowFor);
  const id = useId();
  const approve = answer.form.isBroken ? { allowed: false, reason: words.formBroken } : may.approve;
  const permissions = { approve, decline: may.decline, cancel: may.cancel };
  const reasons = groupReasons(permissions);
  const button = (verb: Verb, Icon: typeof Tick) => ({
    permission: permissions[verb],
    reasonId: `${id}-${reasons.findIndex(({ verbs }) => verbs.includes(verb))}`,
    isSending: sending === verb,
    icon: <Icon />,
    onPress: () => decide(verb),
  });
  return (
    <>
      <dl className={classes.consequences} aria-label={words.before}>
        <Consequence verb={words.approveWord} does={words.approves(detail.progress, allowFor)} />
        <Consequence verb={words.decline} does={words.declines(endsByOneRefusal(detail.stages))} />
        <Consequence verb={words.cancel} does={words.cancels} />
      </dl>
      <div className={classes.buttons}>
        <ReasonedButton {...button('approve', Tick)}>
          {words.approveWord} <Revealed text={nameDecision(detail, decision)} />
        </ReasonedButton>
        <ReasonedButton {...button('decline', Cross)}>{words.decline}</ReasonedButton>
        <ReasonedButton {...button('cancel', Stop)}>{words.cancel}</ReasonedButton>
      </div>
      {reasons.map(({ reason, verbs }, at) => (
        <p key={reason} id={`${id}-${at}`} className={classes.reason}>
          {reasons.length > 1 && <b>{verbs.map((verb) => names[verb]).join(', ')}: </b>}
          {reason}
        </p>
      ))}
    </>
  );
}

const nameDecision = ({ tool }: ElicitationDetail, { votesFor }: DecisionState): string => {
  const name = tool.title ?? tool.name;
  return votesFor === null ? name : words.asSubstitute(name, votesFor.name);
};

const names: Record<Verb, string> = { approve: words.approveWord, decline: words.decline, cancel: words.cancel };

const Consequence = ({ verb, does }: { verb: string; does: string }) => (
  <div>
    <dt>{verb}</dt> <dd>{does}</dd>
  </div>
);

/** Each reason is said once, for all the buttons that it stops. */
function groupReasons(permissions: Record<Verb, { allowed: boolean; reason: string | null }>) {
  const groups = new Map<string, Verb[]>();
  for (const verb of ['approve', 'decline', 'cancel'] as const) {
    const { allowed, reason } = permissions[verb];
    if (!allowed && reason !== null) groups.set(reason, [...(groups.get(reason) ?? []), verb]);
  }
  return [...groups].map(([reason, verbs]) => ({ reason, verbs }));
}
