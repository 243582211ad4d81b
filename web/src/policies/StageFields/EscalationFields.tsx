import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { writeSources, type EscalationPart, type StagePart } from '../policy-parts.ts';
import { choicesOf, form as words } from '../words/words.ts';
import type { FormProps } from './form-props.ts';
import classes from '../PolicyForm.module.css';
import { SourceFields } from './SourceFields.tsx';
import { TextPart } from './TextPart.tsx';

type Step = EscalationPart['steps'][number];

/** What happens while no one decides. */
export function EscalationFields({ stage, names, edit }: FormProps & { stage: StagePart }) {
  const { path, escalation, name } = stage;
  const save = (next: EscalationPart | null) =>
    edit([[...path, 'escalate'], next === null ? undefined : writeEscalation(next)]);
  const change = (steps: Step[]) => escalation && save({ ...escalation, steps });
  if (escalation?.hasStage) return <p className={classes.soft}>{words.escalatesToStage}</p>;
  return (
    <div className={classes.escalation}>
      <Checkbox
        label={words.escalate}
        checked={escalation !== null}
        onChange={(event) =>
          save(event.currentTarget.checked ? { steps: [firstStep], loops: '', atEnd: '', hasStage: false } : null)
        }
      />
      {escalation?.steps.map((step, at) => (
        <StepFields
          key={at}
          step={step}
          position={at}
          of={words.escalationOf(name)}
          names={names}
          onChange={(next) => change(escalation.steps.with(at, next))}
          {...(escalation.steps.length > 1 && { onRemove: () => change(escalation.steps.toSpliced(at, 1)) })}
        />
      ))}
      {escalation !== null && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.add}
          onClick={() => change([...escalation.steps, { ...firstStep, after: '1h' }])}
        >
          {words.addStep}
        </Button>
      )}
    </div>
  );
}

interface StepFieldsProps extends Pick<FormProps, 'names'> {
  step: Step;
  position: number;
  /** What the approvers are for. */
  of: string;
  onChange: (step: Step) => void;
  onRemove?: () => void;
}

function StepFields({ step, position, of, names, onChange, onRemove }: StepFieldsProps) {
  return (
    <div className={classes.step}>
      <div className={classes.counts}>
        <TextPart
          label={words.after}
          description={position === 0 ? words.durationNote : words.afterStep}
          value={step.after}
          onChange={(after) => onChange({ ...step, after })}
        />
        <NativeSelect
          label={words.mode}
          description={words.modeNote}
          value={step.mode}
          data={choicesOf(words.modes)}
          onChange={({ currentTarget }) => onChange({ ...step, mode: currentTarget.value as Step['mode'] })}
        />
      </div>
      <TextPart
        label={words.stepApprove}
        description={words.stepApproveNote}
        value={step.approve}
        onChange={(approve) => onChange({ ...step, approve })}
      />
      <SourceFields
        of={of}
        sources={step.approvers}
        names={names}
        onChange={(approvers) => onChange({ ...step, approvers })}
      />
      {onRemove && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onRemove}>
          {words.removeStep}
        </Button>
      )}
    </div>
  );
}

const firstStep: Step = { after: '10m', mode: 'add', approvers: [{ kind: 'role', value: 'admin' }], approve: '' };

/** One step is written straight, several as a list. */
function writeEscalation({ steps, loops, atEnd }: EscalationPart): object {
  const written = steps.map(({ after, mode, approvers, approve }) => ({
    after,
    [mode]: writeSources(approvers),
    ...(approve !== '' && { approve: Number(approve) }),
  }));
  const rest = {
    ...(loops !== '' && { loops: Number(loops) }),
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the language; no one awaits it
    ...(atEnd !== '' && { then: atEnd }),
  };
  return written.length === 1 ? { ...written[0], ...rest } : { after: written, ...rest };
}
