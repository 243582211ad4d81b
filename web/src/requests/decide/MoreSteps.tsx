import { may as mayByRole } from '#people/directory/contract/permission';
import { Button, NativeSelect, TextInput, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, useRef, useEffect } from 'react';
import { addApprover, watch, postpone, withdrawVote, addComment, askForInformation } from '../inbox/elicitations.ts';
import { useUser } from '../../people/users/use-user.ts';
import { usersQuery } from '../../people/users/directory-queries.ts';
import { describeTimeZone } from '../../ui/local-time.ts';
import { ProblemNotice, Notice } from '../../ui/Notice.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { chooseUser } from '../../ui/words/words.ts';
import classes from './MoreSteps.module.css';
import type { DecisionState } from './use-decision.ts';
import { useSideStep } from './use-side-step.ts';
import { more as words, discussion as discussionWords } from './words/words.ts';
import type { ShownRemark } from '#requests/voting/contract/quorum';
import { useCarried, useCarrying, useFormKey } from '../../ui/carried-text.ts';
import { Age } from '../../ui/Moment.tsx';
import { Initials } from '../../ui/Initials.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { AnswerList } from './FieldControl.tsx';
import discussionClasses from './Discussion.module.css';
import { Section } from './Section.tsx';
import { matchPath, useNavigate, useSearchParams } from 'react-router';
import { listAddress, readFilters, requestAddress } from '../inbox/inbox-url.ts';
import { queueQuery, comparisonQuery } from '../../shell/queries.ts';
import { useHotkeys } from '../../shell/use-hotkeys.tsx';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { Reading } from './use-answer.ts';

/** Everything apart from deciding: reviewing it, withdrawing a vote, adding an approver, a later start. */
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
    send: (isHeld: boolean) => watch(detail.id, { held: isHeld }),
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
    send: () => withdrawVote(detail.id),
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
    send: (user: string) => addApprover(detail.id, { digest: detail.digest, user }),
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
    send: (notBefore: number) => postpone(detail.id, { digest: detail.digest, notBefore }),
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

/** What was said among those who decide, and with the requester. Nothing said here decides. */
export function Discussion({ detail, reading, decision }: RequestPartProps) {
  const { remarks, inquiry, closedAt } = detail;
  return (
    <Section title={discussionWords.title}>
      {remarks.length === 0 ? (
        <p className={discussionClasses.soft}>{discussionWords.none}</p>
      ) : (
        <ul className={discussionClasses.remarks}>
          {remarks.map((remark) => (
            <Remark key={remark.id} remark={remark} />
          ))}
        </ul>
      )}
      {inquiry !== null && <Notice tone="plain" title={discussionWords.waiting} />}
      {closedAt === null && <SayForm detail={detail} reading={reading} decision={decision} />}
    </Section>
  );
}

function Remark({ remark: { kind, by, person, text, answer, at } }: { remark: ShownRemark }) {
  return (
    <li className={discussionClasses.remark} data-kind={kind}>
      <p className={discussionClasses.who}>
        {person !== null && by !== null && <Initials id={person} name={by} />}
        <Revealed text={by ?? discussionWords.requester} />{' '}
        <span className={discussionClasses.soft}>{discussionWords.kinds[kind]}</span>{' '}
        <span className={discussionClasses.soft}>
          <Age at={at} />
        </span>
      </p>
      {text !== '' && (
        <p className={discussionClasses.text}>
          <Revealed text={text} />
        </p>
      )}
      {answer?.channel === 'told' && <p className={discussionClasses.soft}>{discussionWords.told}</p>}
      {answer !== null && answer.action !== 'accept' && <p>{discussionWords.refused}</p>}
      {answer?.content && <AnswerList content={answer.content} />}
    </li>
  );
}

function SayForm({ detail, reading, decision: { may } }: RequestPartProps) {
  const key = useFormKey('remark', detail.id);
  const [text, setText] = useState(useCarried<string>(key) ?? '');
  useCarrying(key, text);
  const id = useId();
  // What was typed while it was on its way is something new.
  const keepNew = (sent: string) => setText((now) => (now.trim() === sent ? '' : now));
  const comment = useSideStep(detail, reading, {
    send: (message: string) => addComment(detail.id, { text: message }),
    done: discussionWords.commented,
  });
  const ask = useSideStep(detail, reading, {
    send: (message: string) => askForInformation(detail.id, { digest: detail.digest, message }),
    done: discussionWords.asked,
  });
  const message = text.trim();
  const [isMissing, setIsMissing] = useState(false);
  const say = (step: typeof comment): void => {
    setIsMissing(message === '');
    if (message !== '') step.mutate(message, { onSuccess: () => keepNew(message) });
  };
  const reasons = [...new Set([may.comment.reason, may.inquire.reason])].filter((reason) => reason !== null);
  return (
    <div className={discussionClasses.say}>
      <Textarea
        label={discussionWords.label}
        description={discussionWords.note}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isMissing && message === '' && discussionWords.empty}
        maxLength={4000}
        rows={2}
        autoComplete="off"
      />
      {(comment.isError || ask.isError) && <ProblemNotice error={comment.error ?? ask.error} />}
      <div className={discussionClasses.actions}>
        <ReasonedButton
          permission={may.comment}
          reasonId={id}
          isQuiet
          isSending={comment.isPending}
          onPress={() => say(comment)}
        >
          {discussionWords.comment}
        </ReasonedButton>
        <ReasonedButton
          permission={may.inquire}
          reasonId={id}
          isQuiet
          isSending={ask.isPending}
          onPress={() => say(ask)}
        >
          {discussionWords.ask}
        </ReasonedButton>
      </div>
      <p id={id} className={discussionClasses.soft}>
        {reasons.join(' ')}
      </p>
    </div>
  );
}

/** `j`, `k` and `n` go through the queue this request was opened from; `/` goes back to its filters. */
export function useQueueKeys(id: string): void {
  const filters = readFilters(useSearchParams()[0]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const lastStep = useRef<Promise<void>>(Promise.resolve());
  const go = async (step: 1 | -1) => {
    const queue = await queries.fetchQuery(queueQuery(filters));
    const next = neighbourIn(queue, idOfAddress() ?? id, step);
    if (next !== null) await navigate(requestAddress(next, filters));
  };
  // One after the other, so that each key counts, however fast they are pressed.
  const goOn = (step: 1 | -1) => {
    lastStep.current = lastStep.current.then(() => go(step)).catch(() => undefined);
  };
  useHotkeys('request', (key) => {
    if (key === 'j' || key === 'n') goOn(1);
    else if (key === 'k') goOn(-1);
    else if (key === '/') void navigate(listAddress(filters));
    else return false;
    return true;
  });
}

/** The address is ahead of the page while the next request is read. */
const idOfAddress = (): string | undefined => matchPath('/requests/:id', window.location.pathname)?.params.id;

/** How this version differs from past requests. A help for reading: if it cannot be read, nothing is missing. */
export function useComparison({ id, digest }: Pick<ElicitationDetail, 'id' | 'digest'>) {
  const { data, refetch } = useQuery(comparisonQuery(id));
  const compared = data?.digest;
  useEffect(() => {
    if (compared !== undefined && compared !== digest) void refetch();
  }, [compared, digest, refetch]);
  return compared === digest ? (data ?? null) : null;
}

/** The request before or after this one in the queue; the first if this one has left it, null at the end. */
export function neighbourIn(queue: readonly string[], id: string, step: 1 | -1): string | null {
  const at = queue.indexOf(id);
  return (at < 0 ? queue[0] : queue[at + step]) ?? null;
}

/** What a part of the page gets that shows the request and takes steps on it. */
export interface RequestPartProps {
  detail: ElicitationDetail;
  reading: Reading;
  decision: DecisionState;
}
