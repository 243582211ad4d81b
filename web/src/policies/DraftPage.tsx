import { type ReactNode, lazy, Suspense, useId, useRef, useState, useEffect } from 'react';
import page from '../ui/Page.module.css';
import { PageHead } from '../ui/PageHead.tsx';
import { places, risks as riskNames } from '../ui/words/words.ts';
import { CallTrial } from './CallTrial.tsx';
import { Simulator } from './Simulator.tsx';
import { Button, Skeleton, NativeSelect, TextInput, Checkbox } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { schemaQuery, usePolicyStep, checkQuery } from './policy-queries.tsx';
import { Sentences } from './Sentences.tsx';
import type { YamlEditorHandle } from './YamlEditor.tsx';
import classes from './Policies.module.css';
import {
  editor as words,
  draft as draftActionsWords,
  check as checkResultWords,
  form as policyFormWords,
} from './words/words.ts';
import { useNavigate } from 'react-router';
import { policyRoutes } from '#policies/contract/routes';
import { call } from '../client/call.ts';
import { type Permission, may } from '../people/roles/permission-table.ts';
import { ProblemNotice, Notice } from '../ui/Notice.tsx';
import { Reason, ReasonedButton } from '../ui/ReasonedButton.tsx';
import type { PolicyCheck, PolicyFault } from '#policies/contract/documents';
import { Cross, Tick } from '../ui/icons.tsx';
import { Revealed } from '../ui/Revealed.tsx';
import { usersQuery, serversQuery, groupsQuery } from '../people/users/directory-queries.ts';
import type { PlacePath } from './schema-choices.ts';
import { type KnownNames, type FormProps, type PartProps, TextPart, editPolicy, type Edit } from './StageFields.tsx';
import { spacesQuery, useSpacesWith } from '../people/spaces/spaces.ts';
import { useUser } from '../people/users/use-user.ts';
import { risks } from '#requests/asking/contract/elicitation';
import { commaList } from '../ui/comma-list.ts';
import { type PolicyParts, readPolicyParts } from './policy-parts.ts';
import policyFormClasses from './PolicyForm.module.css';
import { Rules } from './Rules.tsx';

interface DraftPageProps {
  title: string;
  back: string;
  document: string;
  note: string;
  /** The draft to change; without it saving makes a new version. */
  version?: number;
  /** Set for a new policy. */
  isNew?: true;
  /** Content above the editor. */
  children?: ReactNode;
}

/** Page to write a policy: as text and as a form, checked while typing, tried on real requests, saved, submitted. */
export function DraftPage({ title, back, document: first, note, version, isNew, children }: DraftPageProps) {
  const edited = useDocument(first);
  const isReady = edited.isChecked && edited.check.data?.ok === true;
  return (
    <div className={page.stack}>
      <PageHead title={title} back={{ to: back, text: places.policies }} />
      {children}
      <DocumentViews edited={edited} />
      <Simulator document={edited.text} tools={edited.parts?.tool ?? []} isReady={isReady} />
      <CallTrial document={edited.text} isReady={isReady} />
      <DraftActions
        edited={edited}
        note={note}
        {...(version !== undefined && { version })}
        isChanged={edited.text !== first}
        isNew={isNew === true}
      />
    </div>
  );
}

const YamlEditor = lazy(async () => ({ default: (await import('./YamlEditor.tsx')).YamlEditor }));
const none: [] = [];

/** Text and form side by side; on a narrow screen one at a time, with the check below either. */
function DocumentViews({ edited }: { edited: EditedDocument }) {
  const [view, setView] = useState<'text' | 'form'>('text');
  const schema = useQuery(schemaQuery).data;
  const names = useKnownNames();
  const handle = useRef<YamlEditorHandle>(null);
  const hint = useId();
  const { parts, text, setText, edit, check, isChecked } = edited;
  return (
    <div className={classes.views} data-view={view}>
      <div role="group" aria-label={words.views} className={classes.switch}>
        {(['text', 'form'] as const).map((choice) => (
          <Button key={choice} variant="default" aria-pressed={view === choice} onClick={() => setView(choice)}>
            {choice === 'text' ? words.asText : words.asForm}
          </Button>
        ))}
      </div>
      <section className={classes.textView}>
        <div className={classes.written}>
          <h2 className={page.subtitle}>{words.textTitle}</h2>
          <p id={hint} className={page.small}>
            {words.textNote}
          </p>
          <Suspense fallback={<Skeleton height={420} aria-label={words.loading} />}>
            <YamlEditor
              ref={handle}
              text={text}
              schema={schema}
              suggest={(path) => suggestAt(names, path)}
              faults={isChecked ? (check.data?.errors ?? none) : none}
              label={words.text}
              describedBy={hint}
              onChange={setText}
            />
          </Suspense>
        </div>
        <CheckResult
          check={check}
          isChecked={isChecked}
          onGoTo={(fault) => {
            setView('text');
            handle.current?.goTo(fault);
          }}
        />
      </section>
      <section className={classes.formView}>
        <h2 className={page.subtitle}>{words.formTitle}</h2>
        {parts === null ? (
          <p className={page.soft}>{words.formBroken}</p>
        ) : (
          <PolicyForm parts={parts} isReadOnly={false} names={names} edit={edit} />
        )}
      </section>
    </div>
  );
}

interface DraftActionsProps {
  edited: EditedDocument;
  note: string;
  version?: number;
  isChanged: boolean;
  /** Set for a new policy: its author chooses its space. */
  isNew: boolean;
}

/** Buttons to save the draft, or submit it to a second person; the effect of each is shown before. */
function DraftActions({ edited, note: first, version, isChanged, isNew }: DraftActionsProps) {
  const [note, setNote] = useState(first);
  const [kept, setKept] = useState(version);
  const { permission: mayWrite, space, choose, choices } = useSpaceChoice();
  const navigate = useNavigate();
  const id = useId();
  const send = usePolicyStep(async (isSubmitted: boolean) => {
    const body = {
      document: edited.text,
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(kept !== undefined && { version: kept }),
      ...(isNew && space !== '' && { space }),
    };
    const draft = await call(policyRoutes.saveDraft, { body });
    setKept(draft.version);
    const params = { name: draft.name, version: draft.version };
    if (isSubmitted) await call(policyRoutes.submitVersion, { params });
    return draft;
  }, draftActionsWords.saved);
  const leave = (isSubmitted: boolean) =>
    send.mutate(isSubmitted, {
      onSuccess: ({ name, version: draftVersion }) => void navigate(`/policies/${name}?version=${draftVersion}`),
    });
  useLeaveWarning(isChanged && !send.isPending && !send.isSuccess);
  const permission = maySave(mayWrite, edited);
  const sending = send.isPending ? send.variables : null;
  return (
    <section className={classes.steps} aria-label={draftActionsWords.title}>
      {isNew && choices.length > 0 && (
        <NativeSelect
          label={draftActionsWords.space}
          value={space}
          data={choices}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={draftActionsWords.note}
        description={draftActionsWords.noteNote}
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
        autoComplete="off"
      />
      {send.isError && <ProblemNotice error={send.error} />}
      <p className={page.small}>{draftActionsWords.consequence}</p>
      <div className={page.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={sending === false}
          onPress={() => leave(false)}
        >
          {draftActionsWords.save}
        </ReasonedButton>
        <ReasonedButton permission={permission} reasonId={id} isSending={sending === true} onPress={() => leave(true)}>
          {draftActionsWords.submit}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}

/** Permission to save, given only for a valid text. */
function maySave(permission: Permission, { check, isChecked }: EditedDocument): Permission {
  if (!permission.allowed) return permission;
  if (isChecked && check.data?.ok === false) return { allowed: false, reason: draftActionsWords.faulty };
  return isChecked ? permission : { allowed: false, reason: draftActionsWords.unchecked };
}

/** Makes the browser ask before an unsaved page is closed or reloaded. */
function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

interface CheckResultProps {
  check: UseQueryResult<PolicyCheck>;
  isChecked: boolean;
  onGoTo: (fault: PolicyFault) => void;
}

/** The text in plain words, or its faults with their places. It is announced again after a change. */
function CheckResult({ check: { data, isError }, isChecked, onGoTo }: CheckResultProps) {
  if (isError) return <Notice tone="warn" title={checkResultWords.unchecked} />;
  return (
    <div aria-live="polite" className={classes.check} data-stale={!isChecked}>
      {data === undefined ? (
        <p>{checkResultWords.checking}</p>
      ) : data.ok ? (
        <Says check={data} />
      ) : (
        <Faults errors={data.errors} onGoTo={onGoTo} />
      )}
    </div>
  );
}

const Says = ({ check: { terms, unsatisfiable, warnings } }: { check: PolicyCheck }) => (
  <>
    <p className={classes.good}>
      <Tick /> {checkResultWords.title}
    </p>
    <Sentences terms={terms} />
    {unsatisfiable !== null && (
      <Notice tone="warn" title={checkResultWords.unsatisfiable}>
        <Revealed text={unsatisfiable} />
      </Notice>
    )}
    {warnings.map((warning) => (
      <Notice key={warning} tone="warn" title={checkResultWords.warning}>
        <Revealed text={warning} />
      </Notice>
    ))}
  </>
);

const Faults = ({ errors, onGoTo }: { errors: PolicyFault[]; onGoTo: CheckResultProps['onGoTo'] }) => (
  <>
    <p className={classes.bad}>
      <Cross /> {checkResultWords.faults(errors.length)}
    </p>
    <ul className={classes.faults}>
      {errors.map((fault) => (
        <li key={`${fault.line} ${fault.column} ${fault.message}`}>
          <Button variant="subtle" size="compact-sm" onClick={() => onGoTo(fault)}>
            {checkResultWords.place(fault.line, fault.column)}
          </Button>{' '}
          {fault.path.length > 0 && <code className={classes.path}>{fault.path.join('.')}</code>}{' '}
          <Revealed text={fault.message} />
        </li>
      ))}
    </ul>
  </>
);

/** Names of the installation's groups, people and servers. */
function useKnownNames(): KnownNames {
  const groups = useQuery(groupsQuery).data ?? [];
  const users = useQuery(usersQuery).data ?? [];
  const servers = useQuery(serversQuery).data ?? [];
  return {
    groups: groups.map(({ name }) => name),
    users: users.filter(({ disabledAt }) => disabledAt === null).map(({ email }) => email),
    servers: servers.map(({ name }) => name),
  };
}

/** Names that fit a place of the text. */
function suggestAt({ groups, users, servers }: KnownNames, path: PlacePath): string[] {
  const names: Partial<Record<string, string[]>> = { group: groups, user: users, server: servers };
  const last = path.findLast((step) => typeof step === 'string');
  return (last === undefined ? undefined : names[last]) ?? [];
}

/** Spaces to which this person may add a new policy, and the chosen one; an empty value is no space. */
function useSpaceChoice() {
  const everywhere = may(useUser(), 'write-policies');
  const own = useSpacesWith('write-policies');
  const spaces = useQuery(spacesQuery).data ?? [];
  const [chosen, choose] = useState<string | null>(null);
  const permission: Permission = own.length > 0 ? { allowed: true, reason: null } : everywhere;
  const offered = everywhere.allowed ? spaces : own;
  return {
    permission,
    space: chosen ?? (everywhere.allowed ? '' : (own[0]?.id ?? '')),
    choose,
    choices:
      offered.length === 0
        ? []
        : [
            ...(everywhere.allowed ? [{ value: '', label: draftActionsWords.everywhere }] : []),
            ...offered.map(({ id, name }) => ({ value: id as string, label: name })),
          ],
  };
}

interface PolicyFormProps extends FormProps {
  parts: PolicyParts;
  isReadOnly: boolean;
}

/** The policy of the text, in controls. Every change is one edit of that text. */
export function PolicyForm({ parts, isReadOnly, names, edit }: PolicyFormProps) {
  const props = { parts, names, edit };
  return (
    <fieldset disabled={isReadOnly} className={policyFormClasses.form} aria-label={policyFormWords.label}>
      <Names {...props} />
      <Which {...props} />
      <Rules {...props} />
      {parts.beyond.length > 0 && <p className={policyFormClasses.soft}>{policyFormWords.beyond(parts.beyond)}</p>}
    </fieldset>
  );
}

function Names({ parts, edit }: PartProps) {
  return (
    <div className={policyFormClasses.fields}>
      <TextPart
        label={policyFormWords.name}
        description={policyFormWords.nameNote}
        value={parts.policy}
        isMono
        onChange={(text) => edit([['policy'], text])}
      />
      <TextPart
        label={policyFormWords.description}
        value={parts.description}
        isLong
        onChange={(text) => edit([['description'], text || undefined])}
      />
    </div>
  );
}

function Which({ parts, names, edit }: PartProps) {
  const setNames = (name: 'server' | 'tool') => (text: string) => edit([['match', name], writeNames(text)]);
  const setPriority = (text: string) =>
    edit([['priority'], text === '' ? undefined : /^-?\d+$/.test(text) ? Number(text) : text]);
  return (
    <fieldset className={policyFormClasses.fields}>
      <legend className={policyFormClasses.legend}>{policyFormWords.which}</legend>
      <TextPart
        label={policyFormWords.server}
        description={policyFormWords.namesNote}
        value={parts.server.join(', ')}
        suggestions={names.servers}
        isMono
        onChange={setNames('server')}
      />
      <TextPart
        label={policyFormWords.tool}
        description={policyFormWords.namesNote}
        value={parts.tool.join(', ')}
        isMono
        onChange={setNames('tool')}
      />
      <Checkbox.Group
        label={policyFormWords.risk}
        description={policyFormWords.riskNote}
        value={parts.risk}
        onChange={(chosen) =>
          edit([['match', 'risk'], chosen.length === 0 ? undefined : risks.filter((risk) => chosen.includes(risk))])
        }
      >
        <div className={policyFormClasses.row}>
          {risks.map((risk) => (
            <Checkbox key={risk} value={risk} label={riskNames[risk]} className={policyFormClasses.option} />
          ))}
        </div>
      </Checkbox.Group>
      <TextPart
        label={policyFormWords.when}
        description={policyFormWords.whenNote}
        value={parts.when}
        isMono
        onChange={(text) => edit([['when'], text || undefined])}
      />
      <TextPart
        label={policyFormWords.priority}
        description={policyFormWords.priorityNote}
        value={parts.priority}
        onChange={setPriority}
      />
    </fieldset>
  );
}

/** Writes names: none means any; one is a plain text. */
function writeNames(text: string): string | string[] | undefined {
  const names = commaList(text);
  return names.length <= 1 ? names[0] : names;
}

/** Pause in typing before the server checks, in milliseconds. */
const checkAfter = 300;

/** The edited text, its parts for the form, and the server's check. Both views change the same text. */
function useDocument(first: string) {
  const [text, setText] = useState(first);
  const settled = useSettled(text);
  const check = useQuery({ ...checkQuery(settled), enabled: settled.trim() !== '' });
  return {
    text,
    setText,
    parts: readPolicyParts(text),
    edit: (...edits: Edit[]) => setText((before) => editPolicy(before, edits)),
    check,
    /** False while the answer is about an older text. */
    isChecked: settled === text && check.isSuccess && !check.isPlaceholderData,
  };
}

type EditedDocument = ReturnType<typeof useDocument>;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), checkAfter);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
