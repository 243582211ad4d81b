import { Button, PasswordInput, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { Permission } from '../../../people/roles/permission-table.ts';
import { breakGlass } from '../../inbox/elicitations.ts';
import { confirmPassword } from '../../../access/sign-in/PasswordForm.tsx';
import { useOwnProvider } from '../../../people/users/use-user.ts';
import { Triangle } from '../../../ui/icons.tsx';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../BreakGlass.module.css';
import { useDraft } from '../../../ui/carried-text.ts';
import { FreshFactorsOrProblem } from '../../../access/factors/FreshFactor.tsx';
import { Section } from '../Section.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { useSideStep } from '../use-side-step.ts';
import { breakGlass as words } from '../words/words.ts';

/** The emergency override: at the end of the page, away from the verbs, closed until it is asked for. */
export function BreakGlass(props: RequestPartProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!props.detail.can.breakGlass.allowed) return null;
  return (
    <Section title={words.title}>
      <p className={classes.note}>{words.lead}</p>
      {isOpen ? (
        <BreakGlassForm {...props} onClose={() => setIsOpen(false)} />
      ) : (
        <div>
          <Button variant="default" className={classes.open} onClick={() => setIsOpen(true)}>
            {words.open}
          </Button>
        </div>
      )}
    </Section>
  );
}

function BreakGlassForm({ detail, reading, decision, onClose }: RequestPartProps & { onClose: () => void }) {
  const [reason, setReason] = useDraft('override', '', detail.id);
  const [password, setPassword] = useState('');
  const id = useId();
  const send = useBreakGlass({ detail, reading, decision });
  const provider = useOwnProvider();
  const permission = mayPress(decision.may.breakGlass, reason.trim(), provider === null ? password : null);
  return (
    <div className={classes.form}>
      <ul className={classes.consequences}>
        {words.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {send.isError && <FreshFactorsOrProblem error={send.error} onDone={send.reset} />}
      <Textarea
        label={words.reason}
        description={words.reasonNote}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={4000}
        rows={3}
        autoComplete="off"
      />
      {provider === null && (
        <PasswordInput
          label={words.password}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <div className={classes.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={send.isPending}
          icon={<Triangle />}
          onPress={() => send.mutate({ reason: reason.trim(), password: provider === null ? password : null })}
        >
          {words.press} <Revealed text={detail.tool.title ?? detail.tool.name} />
        </ReasonedButton>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      <Reason id={id} permission={permission} className={classes.why} />
    </div>
  );
}

/** Confirms the password, if there is one, then overrides the policy with the answer that is in the form. */
function useBreakGlass({ detail, reading, decision }: RequestPartProps) {
  const { id, digest, mode } = detail;
  const content = mode === 'form' && { content: decision.answer.content };
  return useSideStep(detail, reading, {
    send: async ({ reason, password }: { reason: string; password: string | null }) => {
      if (password !== null) await confirmPassword({ password });
      return breakGlass(id, {
        digest,
        reason,
        ...content,
        ...(reading.token !== null && { shown: reading.token }),
        ...(reading.openedParts.length > 0 && { opened: reading.openedParts }),
      });
    },
    done: words.done,
  });
}

function mayPress(permission: Permission, reason: string, password: string | null): Permission {
  if (!permission.allowed) return permission;
  if ([...reason].length < minReasonLength) return { allowed: false, reason: words.reasonMissing(minReasonLength) };
  return password === '' ? { allowed: false, reason: words.passwordMissing } : permission;
}

/** Characters, as the contract has it. */
const minReasonLength = 20;
