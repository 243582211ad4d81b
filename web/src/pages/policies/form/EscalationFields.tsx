import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { writeSources, type EscalationPart, type StagePart } from '../text/policy-parts.ts';
import { choicesOf, form as words } from '../text/words.ts';
import type { FormProps } from './form-props.ts';
import classes from './PolicyForm.module.css';
import { SourceFields } from './SourceFields.tsx';
import { TextPart } from './TextPart.tsx';

type Step = EscalationPart['steps'][number];

/** What happens while nobody decides. */
export function EscalationFields({ stage, known, edit }: FormProps & { stage: StagePart }) {
  const { path, escalation, name } = stage;
  const save = (next: EscalationPart | null) =>
    edit([[...path, 'escalate'], next === null ? undefined : writeEscalation(next)]);
  const change = (steps: Step[]) => escalation && save({ ...escalation, steps });
  return (
    <div className={classes.escalation}>
      <Checkbox
        label={words.escalate}
        checked={escalation !== null}
        onChange={(event) => save(event.currentTarget.checked ? { steps: [firstStep], loops: '', atEnd: '' } : null)}
      />
      {escalation?.steps.map((step, at) => (
        <div key={at} className={classes.step}>
          <div className={classes.counts}>
            <TextPart
              label={words.after}
              description={at === 0 ? words.durationNote : words.afterStep}
              value={step.after}
              onChange={(after) => change(escalation.steps.with(at, { ...step, after }))}
            />
            <NativeSelect
              label={words.mode}
              description={words.modeNote}
              value={step.mode}
              data={choicesOf(words.modes)}
              onChange={({ currentTarget }) =>
                change(escalation.steps.with(at, { ...step, mode: currentTarget.value as Step['mode'] }))
              }
            />
          </div>
          <SourceFields
            of={words.escalationOf(name)}
            sources={step.approvers}
            known={known}
            onChange={(approvers) => change(escalation.steps.with(at, { ...step, approvers }))}
          />
          {escalation.steps.length > 1 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => change(escalation.steps.toSpliced(at, 1))}
            >
              {words.removeStep}
            </Button>
          )}
        </div>
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

const firstStep: Step = { after: '10m', mode: 'add', approvers: [{ kind: 'role', value: 'admin' }] };

/** One step is written straight, several as a list. */
function writeEscalation({ steps, loops, atEnd }: EscalationPart): object {
  const written = steps.map(({ after, mode, approvers }) => ({ after, [mode]: writeSources(approvers) }));
  const rest = {
    ...(loops !== '' && { loops: Number(loops) }),
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the language; nobody awaits it
    ...(atEnd !== '' && { then: atEnd }),
  };
  return written.length === 1 ? { ...written[0], ...rest } : { after: written, ...rest };
}
