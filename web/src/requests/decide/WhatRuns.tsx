import { Revealed } from '../../ui/Revealed.tsx';
import { PartEnd, partStart, unit, UrlWarnings } from './DecisionCard.tsx';
import { Section } from './Section.tsx';
import { reachesPart, argumentsPart, longIn, type Reading, urlPart, valuePart } from './use-answer.ts';
import { type RequestPartProps, useComparison } from './MoreSteps.tsx';
import classes from './WhatRuns.module.css';
import {
  what,
  editing as words,
  revisions as revisionsWords,
  comparison as sinceApprovedWords,
  url as urlBlockWords,
} from './words/words.ts';
import { memo, useMemo, type CSSProperties, useId, type ReactNode, useState } from 'react';
import { follow, readPointer, isCollection } from '#requests/facts/contract/facts';
import { inOrders, type KeyOrders } from '#requests/facts/contract/orders';
import { layOutArguments, type ArgumentRow } from '../inbox/argument-rows.ts';
import { Digits } from '../../ui/Digits.tsx';
import argumentListClasses from './ArgumentList.module.css';
import { Button } from '@mantine/core';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { call } from '../../client/call.ts';
import { useDraft } from '../../ui/carried-text.ts';
import { checkDraft, type Draft, startDraft } from '../../ui/form-draft.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import editArgumentsClasses from './EditArguments.module.css';
import { FieldControl } from './AnswerSection.tsx';
import { useSideStep } from './use-side-step.ts';
import { Age } from '../../ui/Moment.tsx';
import revisionsClasses from './Revisions.module.css';
import { Link } from 'react-router';
import sinceApprovedClasses from './SinceApproved.module.css';
import { describeUrl } from './url-facts.ts';
import { Triangle } from '../../ui/icons.tsx';
import type { FormContent } from '#platform/form/answer';
import { ListRows, ListSummary, tableOf } from '../../ui/ListTable.tsx';
import longGroupClasses from './LongValue.module.css';
import { amounts } from '../../language/words/words.ts';
import unseen from '../../shell/Unseen.module.css';

export function WhatRuns({ detail, reading, decision }: RequestPartProps) {
  return (
    <Section title={what.title}>
      <p className={classes.call}>
        <code className={classes.name}>
          <Revealed text={detail.tool.name} />
        </code>{' '}
        <span className={classes.soft}>{what.on}</span> <Revealed text={detail.server} />
      </p>
      {detail.tool.reaches !== null && (
        <div {...partStart(reachesPart)}>
          <h3 className={classes.caption}>{what.reaches}</h3>
          <p className={classes.whole}>
            <Revealed text={detail.tool.reaches} />
          </p>
          <PartEnd of={reachesPart} />
        </div>
      )}
      <div className={classes.sheet}>
        <h3 className={classes.caption}>{what.arguments}</h3>
        <ArgumentList json={detail.arguments} keyOrders={detail.keyOrders} reading={reading} />
      </div>
      <SinceApproved detail={detail} />
      <Revisions revisions={detail.revisions} />
      <EditArguments detail={detail} reading={reading} decision={decision} />
      {detail.url !== null && <UrlBlock url={detail.url} />}
    </Section>
  );
}

interface ArgumentListProps {
  json: string;
  keyOrders?: KeyOrders;
  reading: Reading;
}

/** The stored arguments, complete: every shortened value can be opened, and nothing is left out. */
function ArgumentList({ json, keyOrders, reading }: ArgumentListProps) {
  const rows = useMemo(() => layOutArguments(json, keyOrders), [json, keyOrders]);
  const long = useMemo(() => new Set(longIn(json)), [json]);
  const root = useMemo(
    () => (rows === null ? null : inOrders(JSON.parse(json), keyOrders ?? [])),
    [rows, json, keyOrders],
  );
  return (
    <div {...partStart(argumentsPart)}>
      {rows === null && <p className={argumentListClasses.soft}>{what.raw}</p>}
      {rows === null && <LongValue value={json} pointer="" reading={reading} />}
      {rows?.length === 0 && <p>{what.none}</p>}
      {rows !== null && rows.length > 0 && <Rows rows={rows} long={long} root={root} reading={reading} />}
      <PartEnd of={argumentsPart} />
    </div>
  );
}

interface RowsProps {
  rows: ArgumentRow[];
  long: ReadonlySet<string>;
  /** The arguments, in the caller's order. */
  root: unknown;
  reading: Reading;
}

function Rows({ rows, long, root, reading }: RowsProps) {
  return (
    <dl className={argumentListClasses.list}>
      {withMembers(rows, long).map(({ row, members }) => (
        <div
          key={row.pointer}
          className={argumentListClasses.row}
          style={indent(row)}
          {...(members === null && !long.has(row.pointer) && unit)}
        >
          <dt className={argumentListClasses.name} {...((members !== null || long.has(row.pointer)) && unit)}>
            <Revealed text={row.depth > deepestIndent ? row.path : row.name} />
          </dt>
          <dd className={argumentListClasses.value} data-at={row.pointer}>
            {members !== null ? (
              <LongGroup row={row} value={follow(root, readPointer(row.pointer) ?? [])} reading={reading}>
                <Rows rows={members} long={long} root={root} reading={reading} />
              </LongGroup>
            ) : long.has(row.pointer) ? (
              <LongValue value={row.value} pointer={row.pointer} reading={reading} />
            ) : (
              <ShortValue row={row} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The rows; a long list or group contains the rows of its members. */
function withMembers(rows: ArgumentRow[], long: ReadonlySet<string>) {
  const placed: { row: ArgumentRow; members: ArgumentRow[] | null }[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined) break;
    if ((row.kind !== 'group' && row.kind !== 'list') || !long.has(row.pointer)) {
      placed.push({ row, members: null });
      continue;
    }
    const end = rows.findIndex(({ depth }, index) => index > at && depth <= row.depth);
    const members = rows.slice(at + 1, end < 0 ? rows.length : end);
    placed.push({ row, members: members.map((member) => ({ ...member, depth: member.depth - row.depth - 1 })) });
    at += members.length;
  }
  return placed;
}

const ShortValue = memo(function ShortValue({ row: { kind, value } }: { row: ArgumentRow }) {
  if (kind === 'group' || kind === 'list')
    return <span className={argumentListClasses.soft}>{what.members(kind, Number(value))}</span>;
  if (kind === 'number')
    return (
      <span className={argumentListClasses.literal}>
        <Digits text={value} />
      </span>
    );
  if (kind !== 'text') return <span className={argumentListClasses.literal}>{value}</span>;
  return (
    <>
      <span className={argumentListClasses.text}>
        <Revealed text={value} />
        {value === '' && <span className={argumentListClasses.soft}>{what.emptyText}</span>}
      </span>
      <UrlWarnings text={value} />
    </>
  );
});

/** Deepest indentation; deeper rows show their whole path instead. */
const deepestIndent = 6;

const indent = ({ depth }: ArgumentRow) => ({ '--depth': Math.min(depth, deepestIndent) }) as CSSProperties;

/** Form to change the arguments that the policy marks as changeable. The effect on votes is shown before. */
function EditArguments({ detail, reading, decision }: RequestPartProps) {
  const [typed, setTyped] = useDraft<Draft | null>('edit', null, detail.id);
  const schema = useMemo(() => schemaOf(detail.editable), [detail.editable]);
  if (schema === null || !detail.can.edit.allowed) return null;
  if (typed === null) {
    return (
      <div>
        <Button variant="default" className={editArgumentsClasses.open} onClick={() => setTyped({})}>
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
  /** Changes made by hand; everything else follows the request, also if someone else edits it. */
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
    send: (values: typeof changed) =>
      call(deliberationRoutes.editElicitation, {
        params: { id: detail.id },
        body: { digest: detail.digest, arguments: values },
      }),
    done: words.done,
  });
  const isFaulty = Object.keys(faults).length > 0;
  const unready = isFaulty ? words.faulty : Object.keys(changed).length === 0 ? words.unchanged : null;
  const permission = unready === null ? decision.may.edit : { allowed: false, reason: unready };
  return (
    <div className={editArgumentsClasses.form}>
      <h3 className={editArgumentsClasses.title}>{words.title}</h3>
      <p className={editArgumentsClasses.note}>{words.note}</p>
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
      <div className={editArgumentsClasses.actions}>
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
      <Reason id="edit-reason" permission={permission} className={editArgumentsClasses.reason} />
    </div>
  );
}

/** The form of editable arguments: the policy's marks, if they pass the linter. */
function schemaOf(editable: ElicitationDetail['editable']): FormSchema | null {
  if (editable === null) return null;
  const linted = lintFormSchema({ type: 'object', properties: editable, required: Object.keys(editable) });
  return linted.ok ? linted.schema : null;
}

/** Edits by approvers since the request was opened. */
export function Revisions({ revisions }: { revisions: ElicitationDetail['revisions'] }) {
  if (revisions.length === 0) return null;
  return (
    <section aria-label={revisionsWords.title} className={revisionsClasses.revisions}>
      <h3 className={revisionsClasses.title}>{revisionsWords.title}</h3>
      <p className={revisionsClasses.soft}>{revisionsWords.note}</p>
      {revisions.map(({ revision, by, at, changes }) => (
        <div key={revision}>
          <p className={revisionsClasses.soft}>
            <Revealed text={by} />, <Age at={at} />
          </p>
          <Changes changes={changes} />
        </div>
      ))}
    </section>
  );
}

/** Differences from the last approved call of this tool. */
function SinceApproved({ detail }: { detail: ElicitationDetail }) {
  const data = useComparison(detail);
  if (!data?.approved) return null;
  const { approved, differences, isCut } = data;
  return (
    <section aria-label={sinceApprovedWords.title} className={sinceApprovedClasses.since}>
      <p>
        {differences.length === 0 ? sinceApprovedWords.same : sinceApprovedWords.changed(differences.length)}{' '}
        <Link to={`/requests/${approved.id}`}>{sinceApprovedWords.approved}</Link> (<Age at={approved.closedAt} />)
      </p>
      <Changes
        changes={differences.map(({ path, pointer: _pointer, ...values }) => ({
          name: path || sinceApprovedWords.all,
          ...values,
        }))}
      />
      {isCut && <p className={sinceApprovedClasses.more}>{sinceApprovedWords.cut(differences.length)}</p>}
    </section>
  );
}

/** An address as text: never a link, never fetched. */
function UrlBlock({ url }: { url: string }) {
  const { host, warnings } = describeUrl(url);
  return (
    <div className={classes.sheet} {...partStart(urlPart)}>
      <h3 className={classes.caption}>{urlBlockWords.title}</h3>
      <p className={classes.host}>{host === null ? urlBlockWords.none : <Revealed text={host} />}</p>
      <p className={classes.whole}>
        <Revealed text={url} />
      </p>
      <PartEnd of={urlPart} />
      {warnings.length > 0 && (
        <ul className={classes.warnings}>
          {warnings.map((warning) => (
            <li key={warning} className={classes.warning}>
              <Triangle />
              {urlBlockWords.warnings[warning]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The controls filled with the call's own arguments; one of another type than the policy names stays empty. */
export function draftArguments(schema: FormSchema, json: string): Draft {
  const values = readObject(json);
  const draft = startDraft(schema);
  for (const name of Object.keys(schema.properties)) {
    const value = values[name];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) draft[name] = value;
    else if (['string', 'number', 'boolean'].includes(typeof value)) draft[name] = `${value as string}`;
  }
  return draft;
}

/** Values that differ from the current call. */
export function changedArguments(content: FormContent, json: string): FormContent {
  const values = readObject(json);
  const changed = Object.entries(content).filter(
    ([name, value]) => JSON.stringify(values[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed);
}

function readObject(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

interface LongGroupProps {
  row: ArgumentRow;
  value: unknown;
  reading: Reading;
  /** Rows of its members, unless it is a table. */
  children: ReactNode;
}

/** A long list or group: folded to a summary until it is opened. A list of like objects is a table. */
function LongGroup({ row: { pointer, name, kind, value: members }, value, reading, children }: LongGroupProps) {
  const isOpen = reading.opened.has(pointer);
  const table = useMemo(() => tableOf(value), [value]);
  const size = useMemo(() => countValues(value), [value]);
  const id = useId();
  return (
    <div {...partStart(valuePart(pointer))}>
      <p className={longGroupClasses.size}>{what.members(kind === 'list' ? 'list' : 'group', Number(members))}</p>
      {table !== null && <ListSummary table={table} pointer={pointer} />}
      <div id={id}>
        {isOpen && (
          <>
            {table === null ? children : <ListRows name={name} table={table} pointer={pointer} />}
            <p className={longGroupClasses.end}>{what.endMembers(size)}</p>
            <PartEnd of={valuePart(pointer)} />
          </>
        )}
      </div>
      <OpenButton pointer={pointer} reading={reading} controls={id} label={what.openMembers(size)} />
    </div>
  );
}

const countValues = (value: unknown): number =>
  isCollection(value) ? Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 0) : 1;

interface LongValueProps {
  value: string;
  pointer: string;
  reading: Reading;
}

/** A long value. It is folded, and must be opened and seen to its end before approval. */
function LongValue({ value, pointer, reading }: LongValueProps) {
  const id = useId();
  const isOpen = reading.opened.has(pointer);
  const size = describeSize(value);
  return (
    <div {...partStart(valuePart(pointer))}>
      <div
        id={id}
        className={isOpen ? longGroupClasses.whole : longGroupClasses.preview}
        data-at={pointer}
        {...(isOpen && unit)}
      >
        <Revealed text={value} {...(!isOpen && { most: Array.from(previewOf(value)).length })} />
      </div>
      {isOpen && <p className={longGroupClasses.end}>{what.end(size)}</p>}
      {isOpen && <PartEnd of={valuePart(pointer)} />}
      <OpenButton pointer={pointer} reading={reading} controls={id} label={what.open(size)} />
    </div>
  );
}

/** Size of the preview of a long value, in characters and lines. */
const previewLength = 160;
const previewLines = 3;

/** The beginning of a long value, never cut inside a character. */
export function previewOf(value: string): string {
  const start = Array.from(value.slice(0, previewLength * 2))
    .slice(0, previewLength)
    .join('');
  return start.split('\n', previewLines).join('\n');
}

/** Size of a value: "204,812 characters", "204,812 characters in 14 lines". */
export function describeSize(value: string): string {
  const characters = [...value].length;
  const lines = value.split('\n').length;
  const size = amounts.characters(characters);
  return lines === 1 ? size : amounts.inLines(size, lines);
}

interface ChangesProps {
  /** An added value has no `before`, a removed one no `after`. */
  changes: { name: string; before?: unknown; after?: unknown }[];
}

/** Values before and after, next to each other. */
export const Changes = ({ changes }: ChangesProps) => (
  <dl className={revisionsClasses.changes}>
    {changes.map(({ name, before, after }) => (
      <div key={name} className={revisionsClasses.change}>
        <dt>
          <Revealed text={name} />
        </dt>
        <dd className={revisionsClasses.before}>
          {before !== undefined && (
            <>
              <span aria-hidden="true">− </span>
              <span className={unseen.unseen}>{revisionsWords.before}: </span>
              <del>
                <Value text={say(before)} />
              </del>
            </>
          )}
        </dd>
        <dd className={revisionsClasses.after}>
          {after !== undefined && (
            <>
              <span aria-hidden="true">+ </span>
              <span className={unseen.unseen}>{revisionsWords.after}: </span>
              <ins>
                <Value text={say(after)} />
              </ins>
            </>
          )}
        </dd>
      </div>
    ))}
  </dl>
);

/** A long value shows its beginning until it is opened: the whole arguments stand above. */
function Value({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const preview = previewOf(text);
  if (isOpen || preview === text) return <Revealed text={text} />;
  return (
    <>
      <Revealed text={text} most={Array.from(preview).length} />
      <Button variant="subtle" onClick={() => setIsOpen(true)}>
        {what.open(describeSize(text))}
      </Button>
    </>
  );
}

const say = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface OpenButtonProps {
  pointer: string;
  reading: Reading;
  /** Id of the opened element. */
  controls: string;
  /** Label while the value is folded. */
  label: string;
}

/** Opens a long value, and folds it again. */
export function OpenButton({ pointer, reading, controls, label }: OpenButtonProps) {
  const isOpen = reading.opened.has(pointer);
  return (
    <Button
      variant="default"
      classNames={{ root: longGroupClasses.turn ?? '', label: longGroupClasses.label ?? '' }}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={() => (isOpen ? reading.closeValue(pointer) : reading.openValue(pointer))}
    >
      {isOpen ? what.close : label}
    </Button>
  );
}
