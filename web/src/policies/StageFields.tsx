import { Button, NativeSelect, Checkbox, Textarea, TextInput } from '@mantine/core';
import {
  writeSources,
  type StagePart,
  outcomes,
  readPolicyParts,
  type Outcome,
  type EscalationPart,
  type GroupPart,
  fixedValues,
  sourceKinds,
  type SourceKind,
  type SourcePart,
  type PolicyParts,
  type RulePart,
} from './policy-parts.ts';
import { choicesOf, form as words } from './words/words.ts';
import classes from './PolicyForm.module.css';
import { isCollection, isMap, isScalar, isSeq, parseDocument, visit, type Document, type YAMLMap } from 'yaml';
import type { PlacePath } from './schema-choices.ts';
import { rolesWith } from '#people/directory/contract/permission';
import { Cross } from '../ui/icons.tsx';
import { roleNames } from '../ui/words/words.ts';
import unseen from '../shell/Unseen.module.css';
import { useId, useState, type ReactNode } from 'react';
import page from '../ui/Page.module.css';

interface StageFieldsProps extends FormProps {
  stage: StagePart;
  number: number;
  isOnly: boolean;
}

export function StageFields({ stage, number, isOnly, names, edit }: StageFieldsProps) {
  const { path, name, complete, groups } = stage;
  const last = groups.length - 1;
  return (
    <fieldset className={classes.stage}>
      <legend className={classes.legend}>{words.stage(number)}</legend>
      <TextPart
        label={words.stageName}
        value={name}
        onChange={(text) => edit([[...path, 'name'], text || undefined])}
      />
      {groups.length > 1 && (
        <NativeSelect
          label={words.complete}
          value={complete || 'all'}
          data={choicesOf(words.completes)}
          onChange={({ currentTarget }) => edit([[...path, 'complete'], currentTarget.value])}
        />
      )}
      {groups.map((group, at) => (
        <GroupFields key={at} group={group} names={names} edit={edit} isNamed={!stage.isShort} />
      ))}
      <EscalationFields stage={stage} names={names} edit={edit} />
      <div className={classes.row}>
        <Button variant="default" size="compact-sm" onClick={() => edit(...addGroup(stage))}>
          {words.addGroup}
        </Button>
        {groups.length > 1 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => edit([[...path, 'groups', last], undefined])}
          >
            {words.removeGroup(groups[last]?.name ?? '')}
          </Button>
        )}
        {!isOnly && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => edit([path, undefined])}>
            {words.removeStage(number)}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** Adds a group. A second one needs names for both, so the stage's settings for its one group move into the first. */
function addGroup({ path, groups, isShort, name }: StagePart): Edit[] {
  const added = { name: words.newGroup(groups.length + 1), approvers: 'anyone' };
  if (!isShort) return [[[...path, 'groups', groups.length], added]];
  const [only] = groups;
  const first = {
    name: name || words.newGroup(1),
    ...(only?.approve && { approve: asCount(only.approve) }),
    ...(only?.deny && { deny: asCount(only.deny) }),
    approvers: writeSources(only?.approvers ?? []),
  };
  const moved = (['approve', 'deny', 'approvers'] as const).map((part): Edit => [[...path, part], undefined]);
  return [
    [
      [...path, 'groups'],
      [first, added],
    ],
    ...moved,
  ];
}

const asCount = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

/** One change to a policy's text: a value for a place, undefined to remove it, or a change of order. */
export type Edit = [path: PlacePath, value: unknown] | ((document: Document) => void);

/** Applies the edits in order; comments and the rest of the text stay. */
export function editPolicy(text: string, edits: Edit[]): string {
  const document = parseDocument(text);
  for (const edit of edits) {
    if (typeof edit === 'function') edit(document);
    else if (edit[1] === undefined) remove(document, edit[0]);
    else set(document, ...edit);
  }
  return document.toString({ lineWidth: 0 });
}

function set(document: Document, path: PlacePath, value: unknown): void {
  const holder = path.slice(0, -1);
  // A half-written value stood in the place of a mapping or a list.
  if (!isCollection(document.getIn(holder))) set(document, holder, typeof path.at(-1) === 'number' ? [] : {});
  const isNew = !document.hasIn(path);
  document.setIn(path, typeof value === 'object' && value !== null ? collectionOf(document, value) : value);
  const changed = document.getIn(holder);
  if (isNew && holdsOutcome(holder) && isMap(changed)) moveToItsPlace(changed);
}

/** Does it hold an outcome: the policy itself, or an entry of its list of rules? */
const holdsOutcome = (path: PlacePath): boolean => path.length === 0 || (path.length === 2 && path[0] === 'rules');

/** A collection; short values stand in one line, as people write them. */
function collectionOf(document: Document, value: object): unknown {
  const node = document.createNode(value);
  visit(node, {
    Collection: (_, collection) => {
      collection.flow = fitsOneLine(collection.toJS(document));
    },
  });
  return node;
}

/** Characters of a line. */
const maxLineLength = 60;

/** Does the value fit in one line? Stages and groups, which have names, get several. */
function fitsOneLine(value: unknown): boolean {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const isPlain = members.every(([name, member]) => name !== 'name' && !Array.isArray(member) && !isNamed(member));
  return members.length > 0 && isPlain && JSON.stringify(value).length <= maxLineLength;
}

const isNamed = (value: unknown): boolean => typeof value === 'object' && value !== null && 'name' in value;

/** Reading order of a policy. */
const order = [
  'policy',
  'description',
  'priority',
  'match',
  'when',
  'keep',
  'rules',
  'require',
  'confirm',
  'allow',
  'deny',
  'retire',
];

function moveToItsPlace(holder: YAMLMap): void {
  const added = holder.items.pop();
  if (added === undefined) return;
  const rankOf = ({ key }: { key: unknown }) => order.indexOf(isScalar(key) ? `${key.value}` : `${key}`);
  const at = holder.items.findIndex((pair) => rankOf(pair) > rankOf(added));
  holder.items.splice(at === -1 ? holder.items.length : at, 0, added);
}

/** Removes a value, and its mapping if that becomes empty; but not a rule or its outcome, which may be empty. */
function remove(document: Document, path: PlacePath): void {
  if (document.hasIn(path)) document.deleteIn(path);
  const holder = path.slice(0, -1);
  const rest = document.getIn(holder);
  const isRule =
    holdsOutcome(holder) || (holdsOutcome(holder.slice(0, -1)) && outcomes.some((name) => name === holder.at(-1)));
  if (!isRule && (isMap(rest) || isSeq(rest)) && rest.items.length === 0) remove(document, holder);
}

/** Replaces the outcome. */
export const chooseOutcome = (holder: PlacePath, outcome: Outcome, rule: object): Edit[] => [
  [[...holder, outcome], rule],
  ...outcomes.filter((name) => name !== outcome).map((name): Edit => [[...holder, name], undefined]),
];

/** The text that retires this policy, with its reason still to be written. */
export const retiringDocument = (name: string, document: string): string =>
  editPolicy(readPolicyParts(document) ? document : `policy: ${name}\n`, [
    ...chooseOutcome([], 'retire', { reason: '' }),
    [['rules'], undefined],
  ]);

type Step = EscalationPart['steps'][number];

/** Steps taken while no one decides. */
function EscalationFields({ stage, names, edit }: FormProps & { stage: StagePart }) {
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
  /** Name of the escalation with this step. */
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

/** Writes steps: one straight, several as a list. */
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

/** Required approvals of a group, and its people. */
function GroupFields({ group, names, edit, isNamed }: FormProps & { group: GroupPart; isNamed: boolean }) {
  const { path, name, approve, deny, approvers } = group;
  return (
    <div className={classes.group}>
      {isNamed && (
        <TextPart
          label={words.groupName}
          value={name}
          onChange={(text) => edit([[...path, 'name'], text || undefined])}
        />
      )}
      <div className={classes.counts}>
        <TextPart
          label={words.approve}
          description={words.approveNote}
          value={approve || '1'}
          onChange={(text) => edit([[...path, 'approve'], countOf(text)])}
        />
        <TextPart
          label={words.deny}
          description={words.denyNote}
          value={deny || '1'}
          onChange={(text) => edit([[...path, 'deny'], countOf(text)])}
        />
      </div>
      <SourceFields
        of={name}
        sources={approvers}
        names={names}
        onChange={(sources) => edit([[...path, 'approvers'], writeSources(sources)])}
      />
    </div>
  );
}

/** Reads a count; an empty text is one. */
const countOf = (text: string): string | number | undefined =>
  text === '' || text === '1' ? undefined : /^\d+$/.test(text) ? Number(text) : text;

interface SourceFieldsProps {
  /** Group or step of these people, for readers who cannot see the frame. */
  of: string;
  sources: SourcePart[];
  names: KnownNames;
  onChange: (sources: SourcePart[]) => void;
}

/** People who may vote: one line for each source; together they are one set. */
function SourceFields({ of, sources, names, onChange }: SourceFieldsProps) {
  const replace = (at: number, source: SourcePart) => onChange(sources.with(at, source));
  const add = () => onChange([...sources, { kind: 'group', value: names.groups[0] ?? '' }]);
  return (
    <div role="group" aria-label={words.approversOf(of)} className={classes.sources}>
      <p className={classes.caption}>{words.approvers}</p>
      {sources.map((source, at) => (
        <div key={at} className={classes.source}>
          <NativeSelect
            aria-label={words.kind}
            value={source.kind}
            data={sourceKinds.map((value) => ({ value, label: words.kinds[value] }))}
            onChange={({ currentTarget }) => replace(at, startSource(currentTarget.value as SourceKind, names))}
          />
          <SourceValue source={source} names={names} onChange={(value) => replace(at, { ...source, value })} />
          {sources.length > 1 && (
            <Button
              variant="subtle"
              color="gray"
              className={classes.remove}
              onClick={() => onChange(sources.toSpliced(at, 1))}
            >
              <Cross />
              <span className={unseen.unseen}>{words.removeSource(words.kinds[source.kind], source.value)}</span>
            </Button>
          )}
        </div>
      ))}
      <Button variant="subtle" size="compact-sm" className={classes.add} onClick={add}>
        {words.addSource}
      </Button>
    </div>
  );
}

interface SourceValueProps {
  source: SourcePart;
  names: KnownNames;
  onChange: (value: string) => void;
}

function SourceValue({ source: { kind, value }, names, onChange }: SourceValueProps) {
  if (kind === 'anyone' || fixedValues[kind] !== undefined) return <span />;
  const label = words.kinds[kind];
  if (kind === 'role') {
    const data = rolesWith('decide').map((role) => ({ value: role, label: roleNames[role] }));
    return (
      <NativeSelect
        aria-label={label}
        data={data}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'group' && names.groups.length > 0) {
    const data = names.groups.includes(value) ? names.groups : [value, ...names.groups];
    return (
      <NativeSelect
        aria-label={label}
        data={data}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextPart
      label={label}
      value={value}
      suggestions={kind === 'user' ? names.users : []}
      isMono={kind === 'cel'}
      onChange={onChange}
    />
  );
}

function startSource(kind: SourceKind, names: KnownNames): SourcePart {
  const starts: Partial<Record<SourceKind, string>> = {
    role: 'admin',
    group: names.groups[0] ?? '',
    cel: '"emea" in user.groups',
  };
  return { kind, value: starts[kind] ?? '' };
}

interface TextPartProps {
  label: string;
  description?: ReactNode;
  value: string;
  suggestions?: string[];
  isMono?: boolean;
  isLong?: boolean;
  className?: string | undefined;
  /** Takes the new text; an empty one removes the value. */
  onChange: (text: string) => void;
}

/** Text field. While in use, it keeps the typed text, not the value read from the policy. */
export function TextPart({
  value,
  suggestions = [],
  isMono = false,
  isLong = false,
  onChange,
  ...shown
}: TextPartProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const list = useId();
  const props = {
    ...shown,
    value: typed ?? value,
    onChange: (event: { currentTarget: { value: string } }) => {
      setTyped(event.currentTarget.value);
      onChange(event.currentTarget.value.trim());
    },
    onBlur: () => setTyped(null),
    autoComplete: 'off',
    spellCheck: false,
    ...(isMono && { classNames: { input: page.mono ?? '' } }),
  };
  if (isLong) return <Textarea {...props} autosize={false} rows={2} />;
  return (
    <>
      <TextInput {...props} {...(suggestions.length > 0 && { list })} />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Names of this installation, offered in fields for names. */
export interface KnownNames {
  groups: string[];
  users: string[];
  servers: string[];
}

export interface FormProps {
  names: KnownNames;
  edit: (...edits: Edit[]) => void;
}

export type PartProps = FormProps & { parts: PolicyParts };
export type RuleProps = FormProps & { rule: RulePart };
