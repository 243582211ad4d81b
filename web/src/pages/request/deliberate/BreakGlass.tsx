import { Button, PasswordInput, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { ElicitationDetail, Permission } from '../../../../../src/contract/console/console.ts';
import { overrule } from '../../../api/elicitations.ts';
import { confirmPassword } from '../../../api/session.ts';
import { Triangle } from '../../../ui/icons.tsx';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './BreakGlass.module.css';
import { Section } from '../form/Section.tsx';
import type { DecisionState } from '../state/use-decision.ts';
import type { Reading } from '../state/use-reading.ts';
import { useSideStep } from '../state/use-side-step.ts';
import { glass as words } from '../words/deliberation-words.ts';

interface BreakGlassProps {
  detail: ElicitationDetail;
  reading: Reading;
  decision: DecisionState;
}

/** Past the policy, in an emergency: at the end of the page, away from the verbs, closed until it is asked for. */
export function BreakGlass(props: BreakGlassProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!props.detail.can.overrule.allowed) return null;
  return (
    <Section title={words.title}>
      <p className={classes.note}>{words.lead}</p>
      {isOpen ? (
        <GlassForm {...props} onClose={() => setIsOpen(false)} />
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

function GlassForm({ detail, reading, decision, onClose }: BreakGlassProps & { onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [password, setPassword] = useState('');
  const id = useId();
  const { content } = decision.answer;
  const send = useSideStep(
    detail,
    reading,
    async () => {
      await confirmPassword({ password });
      return overrule(detail.id, {
        digest: detail.digest,
        reason: reason.trim(),
        ...(detail.mode === 'form' && { content }),
      });
    },
    words.done,
  );
  const permission = mayPress(decision.may.overrule, reason.trim(), password);
  return (
    <div className={classes.form}>
      <ul className={classes.consequences}>
        {words.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {send.isError && <ProblemNotice error={send.error} />}
      <Textarea
        label={words.reason}
        description={words.reasonNote}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={4000}
        rows={3}
        autoComplete="off"
      />
      <PasswordInput
        label={words.password}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={send.isPending}
          icon={<Triangle />}
          onPress={() => send.mutate()}
        >
          {words.press} <Revealed text={detail.tool.title ?? detail.tool.name} />
        </ReasonedButton>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      {permission.reason !== null && (
        <p id={id} className={classes.why}>
          {permission.reason}
        </p>
      )}
    </div>
  );
}

function mayPress(permission: Permission, reason: string, password: string): Permission {
  if (!permission.allowed) return permission;
  if ([...reason].length < shortestReason) return { allowed: false, reason: words.reasonMissing(shortestReason) };
  return password === '' ? { allowed: false, reason: words.passwordMissing } : permission;
}

/** Characters, as the contract has it. */
const shortestReason = 20;
