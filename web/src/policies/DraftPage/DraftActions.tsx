import { NativeSelect, TextInput } from '@mantine/core';
import { useId, useState, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { saveDraft, submitVersion } from '../policies.ts';
import type { Permission } from '../../people/roles/permission-table.ts';
import { useSpaceChoice } from './use-space-choice.ts';
import { ProblemNotice } from '../../ui/Notice/Notice.tsx';
import page from '../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton/ReasonedButton.tsx';
import classes from '../Policies.module.css';
import type { EditedDocument } from './use-document.ts';
import { usePolicyStep } from '../policy-queries/use-policy-step.ts';
import { draft as words } from '../words/words.ts';

interface DraftActionsProps {
  edited: EditedDocument;
  note: string;
  version?: number;
  isChanged: boolean;
  /** A policy that is not there yet: its author chooses where it belongs. */
  isNew: boolean;
}

/** Keeps the draft, or puts it before a second person; what each does is said before. */
export function DraftActions({ edited, note: first, version, isChanged, isNew }: DraftActionsProps) {
  const [note, setNote] = useState(first);
  const [kept, setKept] = useState(version);
  const { permission: mayWrite, space, choose, choices } = useSpaceChoice();
  const navigate = useNavigate();
  const id = useId();
  const send = usePolicyStep(async (isSubmitted: boolean) => {
    const body = { document: edited.text, ...(note.trim() !== '' && { note: note.trim() }) };
    const draft = await saveDraft({
      ...body,
      ...(kept !== undefined && { version: kept }),
      ...(isNew && space !== '' && { space: space as `spc_${string}` }),
    });
    setKept(draft.version);
    if (isSubmitted) await submitVersion(draft);
    return draft;
  }, words.saved);
  const leave = (isSubmitted: boolean) =>
    send.mutate(isSubmitted, {
      onSuccess: ({ name, version: draftVersion }) => void navigate(`/policies/${name}?version=${draftVersion}`),
    });
  useLeaveWarning(isChanged && !send.isPending && !send.isSuccess);
  const permission = maySave(mayWrite, edited);
  const sending = send.isPending ? send.variables : null;
  return (
    <section className={classes.steps} aria-label={words.title}>
      {isNew && choices.length > 0 && (
        <NativeSelect
          label={words.space}
          value={space}
          data={choices}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={words.note}
        description={words.noteNote}
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
        autoComplete="off"
      />
      {send.isError && <ProblemNotice error={send.error} />}
      <p className={page.small}>{words.consequence}</p>
      <div className={page.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={sending === false}
          onPress={() => leave(false)}
        >
          {words.save}
        </ReasonedButton>
        <ReasonedButton permission={permission} reasonId={id} isSending={sending === true} onPress={() => leave(true)}>
          {words.submit}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}

/** Only what the language understands can be kept. */
function maySave(permission: Permission, { check, isChecked }: EditedDocument): Permission {
  if (!permission.allowed) return permission;
  if (isChecked && check.data?.ok === false) return { allowed: false, reason: words.faulty };
  return isChecked ? permission : { allowed: false, reason: words.unchecked };
}

/** While something is unsaved, the browser asks before its page is closed or reloaded. */
function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}
