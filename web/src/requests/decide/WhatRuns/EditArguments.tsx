import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import { edit } from '../../inbox/elicitations.ts';
import { changedArguments, draftArguments } from './edited-arguments.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { checkDraft, type Draft } from '../../../ui/form-draft.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import classes from '../EditArguments.module.css';
import { FieldControl } from '../FieldControl/FieldControl.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { useSideStep } from '../use-side-step.ts';
import { editing as words } from '../words/words.ts';

/** Lets an approver change what the policy marks as changeable. What that voids is said before. */
export function EditArguments({ detail, reading, decision }: RequestPartProps) {
  const [typed, setTyped] = useDraft<Draft | null>('edit', null, detail.id);
  const schema = useMemo(() => schemaOf(detail.editable), [detail.editable]);
  if (schema === null || !detail.can.edit.allowed) return null;
  if (typed === null) {
    return (
      <div>
        <Button variant="default" className={classes.open} onClick={() => setTyped({})}>
          {words.open}
        </Button>
      </div>
    );
  }
  return (
    <ArgumentForm
      schema={schema}
      detail={detail}
      reading={reading}
      decision={decision}
      typed={typed}
      onType={setTyped}
      onClose={() => setTyped(null)}
    />
  );
}

interface ArgumentFormProps extends RequestPartProps {
  schema: FormSchema;
  /** What was changed by hand; everything else follows the request, also if someone else edits it. */
  typed: Draft;
  onType: (typed: Draft) => void;
  onClose: () => void;
}

function ArgumentForm({ schema, detail, reading, decision, typed, onType, onClose }: ArgumentFormProps) {
  const first = useMemo(() => draftArguments(schema, detail.arguments), [schema, detail.arguments]);
  const draft = { ...first, ...typed };
  const { content, faults } = checkDraft(schema, draft);
  const changed = changedArguments(content, detail.arguments);
  const send = useSideStep(detail, reading, {
    send: (values: typeof changed) => edit(detail.id, { digest: detail.digest, arguments: values }),
    done: words.done,
  });
  const isFaulty = Object.keys(faults).length > 0;
  const unready = isFaulty ? words.faulty : Object.keys(changed).length === 0 ? words.unchanged : null;
  const permission = unready === null ? decision.may.edit : { allowed: false, reason: unready };
  return (
    <div className={classes.form}>
      <h3 className={classes.title}>{words.title}</h3>
      <p className={classes.note}>{words.note}</p>
      {send.isError && <ProblemNotice error={send.error} />}
      {Object.entries(schema.properties).map(([name, field]) => (
        <FieldControl
          key={name}
          name={name}
          field={field}
          isRequired
          value={draft[name] ?? ''}
          fault={faults[name]}
          onChange={(value) => onType({ ...typed, [name]: value })}
          onLeave={() => undefined}
        />
      ))}
      <div className={classes.actions}>
        <ReasonedButton
          permission={permission}
          reasonId="edit-reason"
          isSending={send.isPending}
          onPress={() => send.mutate(changed, { onSuccess: onClose })}
        >
          {words.save}
        </ReasonedButton>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      <Reason id="edit-reason" permission={permission} className={classes.reason} />
    </div>
  );
}

/** The policy's marks come as they were written; only what passes the linter is drawn. */
function schemaOf(editable: ElicitationDetail['editable']): FormSchema | null {
  if (editable === null) return null;
  const linted = lintFormSchema({ type: 'object', properties: editable, required: Object.keys(editable) });
  return linted.ok ? linted.schema : null;
}
