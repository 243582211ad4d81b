import { Button, NativeSelect, Radio } from '@mantine/core';
import { chooseOutcome } from '../StageFields/choose-outcome.ts';
import type { Outcome } from '../policy-parts.ts';
import { choicesOf, form as words } from '../words/words.ts';
import type { RuleProps } from '../StageFields/form-props.ts';
import { LimitFields } from './LimitFields.tsx';
import { NotifyFields } from './NotifyFields.tsx';
import classes from '../PolicyForm.module.css';
import { StageFields } from '../StageFields/StageFields.tsx';
import { TextPart } from '../StageFields/TextPart.tsx';

interface RuleFieldsProps extends RuleProps {
  /** Which outcomes it can have. */
  choices: readonly Outcome[];
}

/** What happens by one rule. */
export function RuleFields(props: RuleFieldsProps) {
  const { outcome, beyond } = props.rule;
  return (
    <>
      <What {...props} />
      {outcome === 'require' && <Stages {...props} />}
      {outcome === 'require' && <LimitFields {...props} />}
      {outcome === 'require' && <NotifyFields {...props} />}
      {beyond.length > 0 && <p className={classes.soft}>{words.beyond(beyond)}</p>}
    </>
  );
}

function What({ rule, choices, edit }: RuleFieldsProps) {
  const { path, outcome: chosen } = rule;
  const choose = (outcome: Outcome) => edit(...chooseOutcome(path, outcome, starts[outcome]));
  return (
    <div className={classes.fields}>
      <Radio.Group label={words.what} value={chosen ?? ''} onChange={(value) => choose(value as Outcome)}>
        <div className={classes.options}>
          {choices.map((outcome) => (
            <Radio key={outcome} value={outcome} label={words.outcomes[outcome]} className={classes.option} />
          ))}
        </div>
      </Radio.Group>
      {chosen === 'deny' && (
        <TextPart
          label={words.reason}
          description={words.reasonNote}
          value={rule.reason}
          onChange={(text) => edit([[...path, 'deny', 'reason'], text])}
        />
      )}
      {chosen === 'retire' && (
        <TextPart
          label={words.retireReason}
          description={words.retireNote}
          value={rule.reason}
          onChange={(text) => edit([[...path, 'retire', 'reason'], text])}
        />
      )}
      {chosen === 'confirm' && (
        <NativeSelect
          label={words.ceiling}
          description={`${words.confirmNote} ${words.ceilingNote}`}
          value={rule.ceiling || 'medium'}
          data={choicesOf(words.ceilings)}
          onChange={({ currentTarget }) => edit([[...path, 'confirm', 'ceiling'], currentTarget.value])}
        />
      )}
      {chosen === 'allow' && (
        <>
          <NativeSelect
            label={words.ceiling}
            description={words.ceilingNote}
            value={rule.ceiling || 'low'}
            data={choicesOf(words.ceilings).filter(({ value }) => value !== 'high')}
            onChange={({ currentTarget }) => edit([[...path, 'allow', 'ceiling'], currentTarget.value])}
          />
          <TextPart
            label={words.sample}
            description={words.sampleNote}
            value={rule.sample}
            onChange={(text) => edit([[...path, 'allow', 'sample'], shareOf(text)])}
          />
        </>
      )}
    </div>
  );
}

/** A number alone is meant as a percentage. */
const shareOf = (text: string): string | undefined => (/^\d+$/.test(text) ? `${text}%` : text || undefined);

/** What an outcome begins with. */
export const starts: Record<Outcome, object> = {
  require: { stages: [{ name: words.newStage(1), approvers: { manager: 'requester' } }] },
  confirm: { ceiling: 'medium' },
  allow: { ceiling: 'low' },
  deny: { reason: '' },
  retire: { reason: '' },
};

function Stages({ rule: { path, stages }, names, edit }: RuleProps) {
  const added = {
    name: words.newStage(stages.length + 1),
    approvers: names.groups[0] === undefined ? 'anyone' : { group: names.groups[0] },
  };
  return (
    <div className={classes.stages}>
      {stages.map((stage, at) => (
        <StageFields key={at} stage={stage} number={at + 1} isOnly={stages.length === 1} names={names} edit={edit} />
      ))}
      <div>
        <Button variant="default" onClick={() => edit([[...path, 'require', 'stages', stages.length], added])}>
          {words.addStage}
        </Button>
      </div>
    </div>
  );
}
