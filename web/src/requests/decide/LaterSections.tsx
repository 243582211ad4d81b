import { Button, PasswordInput, Textarea, NativeSelect, TextInput } from '@mantine/core';
import { useState, useId } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { ownServer } from '#platform/model/names';
import { may, type Permission } from '../../people/roles/permission-table.ts';
import { useUser, useOwnProvider } from '../../people/users/use-user.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { Section } from './Section.tsx';
import { always as words, keeping as keepStepsWords } from './words/later-words.ts';
import classes from './Always.module.css';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { call, query } from '../../client/call.ts';
import { confirmPassword } from '../../access/sign-in/PasswordForm.tsx';
import { Triangle } from '../../ui/icons.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import breakGlassClasses from './BreakGlass.module.css';
import { useDraft } from '../../ui/carried-text.ts';
import { FreshFactorsOrProblem } from '../../access/factors/FreshFactor.tsx';
import type { RequestPartProps } from './MoreSteps.tsx';
import { useSideStep } from './use-side-step.ts';
import { breakGlass as breakGlassWords } from './words/words.ts';
import keepStepsClasses from './Keep.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AnswerOf } from '#platform/http/contract/call';
import { alwaysRoutes, type AlwaysChoices } from '#policies/contract/documents';
import { policyRoutes } from '#policies/contract/routes';
import { useAnnounce } from '../../shell/announcer.tsx';
import { sentences } from '../../language/sentences.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { RowAge } from '../../ui/use-now.tsx';
import page from '../../ui/Page.module.css';
import {
  erasureGrounds,
  type ContentScope,
  type ErasureGround,
  contentScopes,
  isClosed,
} from '#requests/asking/contract/elicitation';
import { isWaiting } from '../../people/changes/changes.ts';
import { keepingRoutes } from '#keeping/content/contract';
import { ChangeNotice } from '../../people/changes/ChangeNotice.tsx';
import { fieldFaults } from '../../ui/field-faults.ts';
import { useChange } from '../../people/changes/use-change.ts';
import { Timeline } from './Timeline.tsx';

const anchor = 'always';

/** A narrow rule for the next calls like this one: for administrators to make, and for approvers to ask for. */
function AlwaysSection({ detail }: { detail: ElicitationDetail }) {
  const user = useUser();
  const [isOpen, setIsOpen] = useState(window.location.hash === `#${anchor}`);
  const isForOne = detail.mode === 'url' || detail.server === ownServer.name || detail.audience !== 'approvers';
  if (isForOne || !may(user, 'decide').allowed) return null;
  return (
    <div id={anchor}>
      <Section title={words.title}>
        {!may(user, 'publish-policies').allowed ? (
          <AskAdministrator id={detail.id} />
        ) : isOpen ? (
          <AlwaysForm detail={detail} onClose={() => setIsOpen(false)} />
        ) : (
          <>
            <p>{words.lead}</p>
            <div>
              <Button variant="default" onClick={() => setIsOpen(true)}>
                {words.open}
              </Button>
            </div>
          </>
        )}
      </Section>
    </div>
  );
}

function AskAdministrator({ id }: { id: string }) {
  const link = `${window.location.origin}/requests/${id}#${anchor}`;
  return (
    <>
      <p>{words.ask}</p>
      <p className={classes.link}>
        <Revealed text={link} /> <CopyButton text={link} />
      </p>
    </>
  );
}

/** The emergency override: at the end of the page, away from the votes, closed until opened. */
export function BreakGlass(props: RequestPartProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!props.detail.can.breakGlass.allowed) return null;
  return (
    <Section title={breakGlassWords.title}>
      <p className={breakGlassClasses.note}>{breakGlassWords.lead}</p>
      {isOpen ? (
        <BreakGlassForm {...props} onClose={() => setIsOpen(false)} />
      ) : (
        <div>
          <Button variant="default" className={breakGlassClasses.open} onClick={() => setIsOpen(true)}>
            {breakGlassWords.open}
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
    <div className={breakGlassClasses.form}>
      <ul className={breakGlassClasses.consequences}>
        {breakGlassWords.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {send.isError && <FreshFactorsOrProblem error={send.error} onDone={send.reset} />}
      <Textarea
        label={breakGlassWords.reason}
        description={breakGlassWords.reasonNote}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={4000}
        rows={3}
        autoComplete="off"
      />
      {provider === null && (
        <PasswordInput
          label={breakGlassWords.password}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <div className={breakGlassClasses.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={send.isPending}
          icon={<Triangle />}
          onPress={() => send.mutate({ reason: reason.trim(), password: provider === null ? password : null })}
        >
          {breakGlassWords.press} <Revealed text={detail.tool.title ?? detail.tool.name} />
        </ReasonedButton>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {breakGlassWords.close}
        </Button>
      </div>
      <Reason id={id} permission={permission} className={breakGlassClasses.why} />
    </div>
  );
}

/** Confirms the password, if there is one, then overrides the policy with the answer in the form. */
function useBreakGlass({ detail, reading, decision }: RequestPartProps) {
  const { id, digest, mode } = detail;
  const content = mode === 'form' && { content: decision.answer.content };
  return useSideStep(detail, reading, {
    send: async ({ reason, password }: { reason: string; password: string | null }) => {
      if (password !== null) await confirmPassword({ password });
      return call(deliberationRoutes.breakGlassElicitation, {
        params: { id },
        body: {
          digest,
          reason,
          ...content,
          ...(reading.token !== null && { shown: reading.token }),
          ...(reading.openedParts.length > 0 && { opened: reading.openedParts }),
        },
      });
    },
    done: breakGlassWords.done,
  });
}

function mayPress(permission: Permission, reason: string, password: string | null): Permission {
  if (!permission.allowed) return permission;
  if ([...reason].length < minReasonLength)
    return { allowed: false, reason: breakGlassWords.reasonMissing(minReasonLength) };
  return password === '' ? { allowed: false, reason: breakGlassWords.passwordMissing } : permission;
}

/** Length in characters, as in the contract. */
const minReasonLength = 20;

/** Steps of administrators for the content of an ended request: erase it, or protect it from erasure. */
function KeepSteps({ detail: { id } }: { detail: ElicitationDetail }) {
  const user = useUser();
  const [step, setStep] = useState<'erase' | 'hold' | null>(null);
  if (!may(user, 'hold-content').allowed) return null;
  return (
    <Section title={keepStepsWords.title}>
      <div className={keepStepsClasses.steps}>
        <p>{keepStepsWords.lead}</p>
        {step === null && (
          <>
            <Button variant="default" onClick={() => setStep('hold')}>
              {keepStepsWords.hold}
            </Button>
            <Button variant="default" onClick={() => setStep('erase')}>
              {keepStepsWords.erase}
            </Button>
          </>
        )}
        {step === 'erase' && <EraseStep id={id} onClose={() => setStep(null)} />}
        {step === 'hold' && <HoldStep id={id} onClose={() => setStep(null)} />}
      </div>
    </Section>
  );
}

type Choice = AlwaysChoices['choices'][number];

const daysToChoose = [1, 7, 30, 90];
const defaultDays = 30;

/** Chooses bounds and duration of the rule, shows its effect on past calls, and makes it. */
function AlwaysForm({ detail, onClose }: { detail: ElicitationDetail; onClose: () => void }) {
  const { id } = detail;
  const [chosen, setChosen] = useState<string | null>(null);
  const [days, setDays] = useState(defaultDays);
  const announce = useAnnounce();
  const { data, error } = useQuery({
    ...query(alwaysRoutes.showAlways, { params: { id }, query: { days } }),
    staleTime: Infinity,
  });
  const allow = useMutation({
    mutationFn: ({ policy }: Choice) => call(alwaysRoutes.allowAlways, { params: { id }, body: { policy, days } }),
    onSuccess: ({ isPublished }) => announce(isPublished ? words.holds : words.waits),
  });
  if (error !== null) return <ProblemNotice error={error} />;
  if (allow.data) return <Done policy={allow.data} />;
  const choices = data?.choices ?? [];
  const choice = choices.find(({ policy }) => policy === chosen) ?? choices[0];
  if (data && !choice) return <p>{words.none}</p>;
  return (
    <div className={classes.form}>
      <div className={classes.choices}>
        <NativeSelect
          label={words.limit}
          value={choice?.policy ?? ''}
          data={choices.map((each) => ({ value: each.policy, label: labelOf(each, detail.tool.name) }))}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
        />
        <NativeSelect
          label={words.days}
          value={String(days)}
          data={daysToChoose.map((count) => ({ value: String(count), label: words.daysOf(count) }))}
          onChange={({ currentTarget: { value } }) => setDays(Number(value))}
        />
      </div>
      {choice && <Freed choice={choice} detail={detail} />}
      {choice && <Document text={choice.document} />}
      {choice?.kind === 'command' && <p>{words.commandRuns}</p>}
      {allow.isError && <ProblemNotice error={allow.error} />}
      <p className={page.small}>{words.consequence}</p>
      <div className={classes.actions}>
        <Button
          disabled={!choice}
          loading={allow.isPending}
          onClick={() => {
            if (choice) allow.mutate(choice);
          }}
        >
          {words.publish}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </div>
  );
}

const labelOf = (choice: Choice, tool: string): string =>
  words.limits(
    choice,
    choice.tools.filter((other) => other !== tool),
  );

const last = 100;
const maxListed = 5;

/** Earlier calls of this tool that the rule would have let run. */
function Freed({ choice, detail: { server, tool } }: { choice: Choice; detail: ElicitationDetail }) {
  const { data, error } = useQuery({
    queryKey: ['always-simulated', choice.document],
    queryFn: () => call(policyRoutes.simulatePolicy, { body: { document: choice.document, last, tool: tool.name } }),
    staleTime: Infinity,
  });
  if (error !== null) return <ProblemNotice error={error} />;
  const calls = (data?.requests ?? []).filter((call) => call.server === server);
  const freed = calls.filter(({ live, draft }) => draft.outcome === 'allow' && live.outcome !== 'allow');
  return (
    <div aria-live="polite">
      {data && <p>{words.freed(freed.length, calls.length)}</p>}
      {freed.length > 0 && (
        <ul className={classes.freed}>
          {freed.slice(0, maxListed).map(({ elicitation, tool: name, at }) => (
            <li key={elicitation}>
              <Link to={`/requests/${elicitation}`} target="_blank" rel="noopener">
                <Revealed text={name} />
              </Link>{' '}
              {at !== null && <RowAge at={at} />}
            </li>
          ))}
          {freed.length > maxListed && <li>{words.more(freed.length - maxListed)}</li>}
        </ul>
      )}
    </div>
  );
}

function Document({ text }: { text: string }) {
  const id = useId();
  return (
    <div>
      <h3 id={id} className={page.small}>
        {words.document}
      </h3>
      <pre className={classes.document} aria-labelledby={id} tabIndex={0}>
        <Revealed text={text.trimEnd()} />
      </pre>
    </div>
  );
}

function Done({ policy }: { policy: AnswerOf<typeof alwaysRoutes.allowAlways> }) {
  const allowed = policy.terms.find(({ kind }) => kind === 'allowed');
  return (
    <div className={classes.form} role="status">
      <p>
        {policy.isPublished ? words.holds : words.waits} {allowed && sentences.clause(allowed)}
      </p>
      <div>
        <Link to={`/policies/${policy.name}?version=${policy.version}`} className={page.action}>
          {words.show(policy.name)}
        </Link>
      </div>
    </div>
  );
}

/** Asks a second administrator to agree that this content is erased. */
function EraseStep({ id, onClose }: { id: string; onClose: () => void }) {
  const [of, setOf] = useState<ContentScope>('request');
  const [ground, setGround] = useState<ErasureGround>('asked');
  const queries = useQueryClient();
  const erasure = useMutation({
    mutationFn: () => call(keepingRoutes.eraseContent, { params: { id }, body: { of, ground } }),
    onSuccess: (change) => (isWaiting(change) ? undefined : queries.invalidateQueries()),
  });
  if (erasure.data) return <ChangeNotice change={erasure.data} />;
  return (
    <div className={keepStepsClasses.steps}>
      <ScopeChoice scope={of} onChange={setOf} />
      <NativeSelect
        label={keepStepsWords.ground}
        value={ground}
        data={erasureGrounds.map((value) => ({ value, label: keepStepsWords.choices[value] }))}
        onChange={(event) => setGround(event.currentTarget.value as ErasureGround)}
      />
      <p>{keepStepsWords.consequence}</p>
      {erasure.isError && <ProblemNotice error={erasure.error} />}
      <Button variant="default" loading={erasure.isPending} onClick={() => erasure.mutate()}>
        {keepStepsWords.eraseNow}
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        {keepStepsWords.close}
      </Button>
    </div>
  );
}

/** Asks a second administrator to agree that this content is held. */
function HoldStep({ id, onClose }: { id: ElicitationDetail['id']; onClose: () => void }) {
  const [scope, setScope] = useState<ContentScope>('request');
  const [reason, setReason] = useState('');
  const hold = useChange(() => call(keepingRoutes.placeHold, { body: { scope, request: id, reason } }));
  if (hold.data) return <ChangeNotice change={hold.data} saved={keepStepsWords.held} />;
  const fault = fieldFaults(hold.error)['reason'];
  return (
    <div className={keepStepsClasses.steps}>
      <ScopeChoice scope={scope} onChange={setScope} />
      <TextInput
        label={keepStepsWords.reason}
        description={keepStepsWords.reasonNote}
        value={reason}
        error={fault}
        onChange={(event) => setReason(event.currentTarget.value)}
        autoComplete="off"
      />
      {hold.isError && fault === undefined && <ProblemNotice error={hold.error} />}
      <Button variant="default" loading={hold.isPending} onClick={() => hold.mutate()}>
        {keepStepsWords.holdNow}
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        {keepStepsWords.close}
      </Button>
    </div>
  );
}

/** Scope of the content. */
const ScopeChoice = ({ scope, onChange }: { scope: ContentScope; onChange: (scope: ContentScope) => void }) => (
  <NativeSelect
    label={keepStepsWords.scope}
    value={scope}
    data={contentScopes.map((value) => ({ value, label: keepStepsWords.scopes[value] }))}
    onChange={(event) => onChange(event.currentTarget.value as ContentScope)}
  />
);

interface LaterSectionsProps extends RequestPartProps {
  isOpen: boolean;
}

/** Sections after the decision. */
export const LaterSections = ({ detail, decision, reading, isOpen }: LaterSectionsProps) => (
  <>
    <AlwaysSection detail={detail} />
    <Timeline of={detail.id} entries={detail.timeline} />
    {isClosed(detail.status) && <KeepSteps detail={detail} />}
    {isOpen && <BreakGlass detail={detail} reading={reading} decision={decision} />}
  </>
);
