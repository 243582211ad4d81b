import { may as mayByRole } from '#people/directory/contract/permission';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, useEffect } from 'react';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { call } from '../../client/call.ts';
import { useUser } from '../../people/users/use-user.ts';
import { usersQuery } from '../../people/users/directory-queries.ts';
import { describeTimeZone } from '../../ui/local-time.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { chooseUser } from '../../ui/words/words.ts';
import classes from './MoreSteps.module.css';
import type { DecisionState } from './use-decision.ts';
import { useSideStep } from './use-side-step.ts';
import { more as words } from './words/words.ts';
import { comparisonQuery } from '../../shell/queries.ts';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { Reading } from './use-answer.ts';

/** Steps other than voting: review, withdrawing a vote, adding an approver, a later start. */
export function MoreSteps({ detail, reading, decision: { may, startOver } }: RequestPartProps) {
  const props = { detail, reading, may, startOver };
  return (
    <div className={classes.more}>
      <WatchStep {...props} />
      {may.withdrawVote.allowed && <WithdrawStep {...props} />}
      <div className={classes.others}>
        {may.addApprover.allowed && <ApproverStep {...props} />}
        {may.postpone.allowed && <PostponeStep {...props} />}
      </div>
    </div>
  );
}

type StepProps = Pick<RequestPartProps, 'detail' | 'reading'> & Pick<DecisionState, 'may' | 'startOver'>;

function WatchStep({ detail, reading, may }: StepProps) {
  const isMine = detail.watch !== null && may.watch.allowed;
  const send = useSideStep(detail, reading, {
    send: (isHeld: boolean) =>
      call(deliberationRoutes.watchElicitation, { params: { id: detail.id }, body: { held: isHeld } }),
    done: isMine ? words.letGo : words.held,
  });
  if (detail.watch === null && !may.watch.allowed) return null;
  return (
    <div className={classes.line}>
      <p>{detail.watch === null ? words.noReviewer : isMine ? words.mine : words.reviewing(detail.watch.by.name)}</p>
      {may.watch.allowed && (
        <ReasonedButton
          permission={may.watch}
          reasonId=""
          isQuiet
          isSending={send.isPending}
          onPress={() => send.mutate(!isMine)}
        >
          {isMine ? words.release : words.take}
        </ReasonedButton>
      )}
      {send.isError && <ProblemNotice error={send.error} />}
    </div>
  );
}

function WithdrawStep({ detail, reading, may, startOver }: StepProps) {
  const send = useSideStep(detail, reading, {
    send: () => call(deliberationRoutes.withdrawVote, { params: { id: detail.id } }),
    done: words.withdrawn,
    onDone: startOver,
  });
  return (
    <div className={classes.line}>
      <p>{words.voted}</p>
      <ReasonedButton
        permission={may.withdrawVote}
        reasonId=""
        isQuiet
        isSending={send.isPending}
        onPress={() => send.mutate(undefined)}
      >
        {words.withdraw}
      </ReasonedButton>
      {send.isError && <ProblemNotice error={send.error} />}
    </div>
  );
}

function ApproverStep({ detail, reading, may }: StepProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const user = useUser();
  const users = useQuery({ ...usersQuery, enabled: isOpen }).data ?? [];
  const send = useSideStep(detail, reading, {
    send: (user: string) =>
      call(deliberationRoutes.addApprover, { params: { id: detail.id }, body: { digest: detail.digest, user } }),
    done: words.approverAdded,
    onDone: () => setIsOpen(false),
  });
  if (!isOpen) return <OpenButton onPress={() => setIsOpen(true)}>{words.addApprover}</OpenButton>;
  const choices = users.filter(
    (other) => other.disabledAt === null && mayByRole(other, 'decide') && other.id !== user?.id,
  );
  return (
    <div className={classes.form}>
      <NativeSelect
        label={words.addApprover}
        description={words.addApproverNote}
        value={chosen}
        data={[
          { value: '', label: chooseUser },
          ...choices.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
        ]}
        error={isMissing && chosen === '' && words.chooseFirst}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      {send.isError && <ProblemNotice error={send.error} />}
      <Send
        permission={may.addApprover}
        isSending={send.isPending}
        onPress={() => {
          setIsMissing(chosen === '');
          if (chosen !== '') send.mutate(chosen);
        }}
        onClose={() => setIsOpen(false)}
      >
        {words.add}
      </Send>
    </div>
  );
}

function PostponeStep({ detail, reading, may }: StepProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState('');
  const send = useSideStep(detail, reading, {
    send: (notBefore: number) =>
      call(deliberationRoutes.postponeElicitation, {
        params: { id: detail.id },
        body: { digest: detail.digest, notBefore },
      }),
    done: words.postponed,
    onDone: () => setIsOpen(false),
  });
  if (!isOpen) return <OpenButton onPress={() => setIsOpen(true)}>{words.postpone}</OpenButton>;
  return (
    <div className={classes.form}>
      <TextInput
        type="datetime-local"
        label={words.postpone}
        description={words.postponeNote(describeTimeZone(at))}
        value={at}
        onChange={(event) => setAt(event.currentTarget.value)}
      />
      {send.isError && <ProblemNotice error={send.error} />}
      <Send
        permission={at === '' ? { allowed: false, reason: words.timeFirst } : may.postpone}
        isSending={send.isPending}
        onPress={() => send.mutate(new Date(at).getTime())}
        onClose={() => setIsOpen(false)}
      >
        {words.setStart}
      </Send>
    </div>
  );
}

const OpenButton = ({ onPress, children }: { onPress: () => void; children: string }) => (
  <Button variant="default" className={classes.open} aria-expanded={false} onClick={onPress}>
    {children}
  </Button>
);

interface SendProps {
  permission: DecisionState['may']['postpone'];
  isSending: boolean;
  onPress: () => void;
  onClose: () => void;
  children: string;
}

function Send({ permission, isSending, onPress, onClose, children }: SendProps) {
  const id = useId();
  return (
    <>
      <div className={classes.line}>
        <ReasonedButton permission={permission} reasonId={id} isQuiet isSending={isSending} onPress={onPress}>
          {children}
        </ReasonedButton>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      <Reason id={id} permission={permission} className={classes.reason} />
    </>
  );
}

/** Differences of this version from past requests. A help for reading: nothing is missing without it. */
export function useComparison({ id, digest }: Pick<ElicitationDetail, 'id' | 'digest'>) {
  const { data, refetch } = useQuery(comparisonQuery(id));
  const compared = data?.digest;
  useEffect(() => {
    if (compared !== undefined && compared !== digest) void refetch();
  }, [compared, digest, refetch]);
  return compared === digest ? (data ?? null) : null;
}

/** Props of a part of the page that shows the request and takes steps on it. */
export interface RequestPartProps {
  detail: ElicitationDetail;
  reading: Reading;
  decision: DecisionState;
}
