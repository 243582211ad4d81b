import { useLayoutEffect, useMemo, useRef, useState, useEffect } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { PolicyClause } from '#policies/deciding/contract/clauses';
import { sentences } from '../../language/sentences.ts';
import { isTyped, textToType, longValues } from '#requests/facts/contract/orders';
import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import { type Verb, answersLeft, countHidden, isCutAt, isQuestionCut, maxOnCard } from './decision-table.ts';
import { useCarried, useCarrying, useFormKey } from '../../ui/carried-text.ts';
import { carryDraft, checkDraft, type Draft, type Faults } from '../../ui/form-draft.ts';
import { decide as words } from './words/words.ts';
import { isClosed } from '#requests/asking/contract/elicitation';
import { serverNow } from '../../client/call-api.ts';
import { Problem } from '#platform/model/problem';
import { layOutArguments } from '../inbox/argument-rows.ts';

const emptyForm: FormSchema = { type: 'object', properties: {} };

/** The person's input and its faults; both survive a change of the request. */
export function useAnswer(detail: ElicitationDetail) {
  // In URL mode a schema describes the result from there, which no approver fills in.
  const form = useForm(detail.mode === 'form' ? detail.schema : null);
  const key = useFormKey('answer', detail.id);
  const carried = useCarried<Typed>(key);
  const [draft, setDraft] = useDraft(form.schema, carried?.draft);
  const [comment, setComment] = useState(carried?.comment ?? '');
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setIsTried] = useState(false);
  const [missingFor, setMissingFor] = useState<Verb | null>(null);
  const [server, setServer] = useState<ServerFaults>(noServerFaults);
  const { container, focusFirstFault, focusPart } = useFaultFocus();
  const isEmpty = (name: string) => (Object.hasOwn(draft, name) ? (draft[name] ?? '') : '').length === 0;
  const { content, faults } = useMemo(() => checkDraft(form.schema, draft), [form.schema, draft]);
  const reasonRule = detail.policy.terms.find(isReasonRule) ?? null;

  const { texts, typed, setTyped } = useTyped(detail, carried?.typed);
  useCarrying(key, { draft, comment, typed } satisfies Typed);
  const untyped = texts.filter((text, at) => !isTyped(text, typed[at] ?? ''));

  /** Missing input, in the order in which the button names it. */
  const check = (verb: Verb): string | null => {
    const count = verb === 'approve' ? Object.keys(faults).length : 0;
    const missing = count === 0 ? commentFault(verb, comment, reasonRule) : null;
    const [text] = verb === 'approve' ? untyped : [];
    setMissingFor(missing === null ? null : verb);
    if (count === 0 && missing === null && text === undefined) return null;
    if (missing === null) setIsTried(true);
    focusFirstFault();
    return count > 0 ? words.faults(count) : (missing ?? words.toType(text ?? ''));
  };
  return {
    form,
    draft,
    content,
    comment,
    container,
    focusPart,
    check,
    left: answersLeft(form.schema, Object.keys(faults), isEmpty),
    isCommentMissing: commentFault('approve', comment, reasonRule) !== null,
    faultOf: (name: string): string | undefined =>
      own(server.fields, name) ?? (isTried || touched.has(name) ? own(faults, name) : undefined),
    texts,
    untyped,
    typed,
    setTyped,
    isUntyped: (text: string) => isTried && untyped.includes(text),
    reasonRule,
    commentFault: server.comment ?? (missingFor && commentFault(missingFor, comment, reasonRule)),
    otherFaults: server.rest,
    setField: (name: string, value: string | string[]) => {
      setDraft({ ...draft, [name]: value });
      setServer((before) => withoutField(before, name));
    },
    setFields: (values: Draft) => setDraft({ ...draft, ...values }),
    touch: (name: string) => setTouched((before) => new Set([...before, name])),
    setComment: (text: string) => {
      setComment(text);
      setServer((before) => ({ ...before, comment: null }));
    },
    takeServerFaults: (faults: ServerFaults) => {
      setServer(faults);
      if (faults.comment !== null || Object.keys(faults.fields).length > 0) focusFirstFault();
    },
  };
}

interface Typed {
  draft: Draft;
  comment: string;
  typed: string[];
}

/** Texts to type for an approval, and the typed ones. */
function useTyped({ policy, tool, arguments: args }: ElicitationDetail, before: string[] = []) {
  const [typed, setAll] = useState(before);
  const values = useMemo(() => JSON.parse(args) as Record<string, unknown>, [args]);
  const texts = [...new Set(policy.terms.filter(isConfirmation).map((rule) => textToType(rule, values, tool.name)))];
  const setTyped = (at: number, text: string) =>
    setAll(texts.map((_, place) => (place === at ? text : typed[place]) ?? ''));
  return { texts, typed: texts.map((_, at) => typed[at] ?? ''), setTyped };
}

const isConfirmation = (clause: PolicyClause): clause is Extract<PolicyClause, { kind: 'confirmation' }> =>
  clause.kind === 'confirmation';

type ReasonRule = Extract<PolicyClause, { kind: 'justification' }>;

const isReasonRule = (clause: PolicyClause): clause is ReasonRule =>
  clause.kind === 'justification' && clause.from === 'approver';

/** Fault of the comment; the server checks the form of a reason. */
function commentFault(verb: Verb, comment: string, rule: ReasonRule | null): string | null {
  if (verb === 'cancel') return null;
  const length = [...comment.trim()].length;
  if (verb === 'decline' && length === 0) return words.commentMissing;
  const isShort = rule !== null && length < Math.max(1, rule.minLength);
  return isShort ? sentences.fault({ code: 'reason', minLength: rule.minLength, like: rule.like }) : null;
}

export type AnswerState = ReturnType<typeof useAnswer>;

/**
 * Form of the schema. The schema passed this linter before it was stored; a second pass gives its type, and catches a
 * difference.
 */
function useForm(schema: unknown): { schema: FormSchema; isBroken: boolean } {
  return useMemo(() => {
    if (schema === null || schema === undefined) return { schema: emptyForm, isBroken: false };
    const linted = lintFormSchema(schema);
    return linted.ok ? { schema: linted.schema, isBroken: false } : { schema: emptyForm, isBroken: true };
    // A refetch gives an equal schema as a new object, which must not reset the input.
  }, [JSON.stringify(schema)]);
}

function useDraft(schema: FormSchema, before: Draft = {}): [Draft, (draft: Draft) => void] {
  const [state, setState] = useState(() => ({ schema, draft: carryDraft(before, schema, schema) }));
  const current = state.schema === schema ? state.draft : carryDraft(state.draft, state.schema, schema);
  return [current, (draft) => setState({ schema, draft })];
}

/** Focuses the first faulty control, after the faults are drawn. */
function useFaultFocus() {
  const container = useRef<HTMLElement>(null);
  const isWanted = useRef(false);
  const [, redraw] = useState(0);
  useLayoutEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const wrong = container.current?.querySelector('[data-answer] [data-fault=true]');
    wrong?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true });
    wrong?.scrollIntoView({ block: 'center' });
  });
  const focusFirstFault = () => {
    isWanted.current = true;
    redraw((times) => times + 1);
  };
  const focusPart = (id: string) => {
    const part = container.current?.querySelector<HTMLElement>(`[data-part-start=${id}]`);
    part?.scrollIntoView({ block: 'center' });
    part?.focus({ preventScroll: true });
  };
  return { container, focusFirstFault, focusPart };
}

const own = (faults: Faults, name: string): string | undefined =>
  Object.hasOwn(faults, name) ? faults[name] : undefined;

const withoutField = (faults: ServerFaults, name: string): ServerFaults => ({
  ...faults,
  fields: Object.fromEntries(Object.entries(faults.fields).filter(([field]) => field !== name)),
});

/** The person's reading of the request so far: version, long values, and parts. */
export function useReading(detail: ElicitationDetail) {
  const [read, setRead] = useState(detail);
  const [progress, setProgress] = useState(nothingOf(detail.digest));
  const { opened, seen } = progress.digest === detail.digest ? progress : nothingOf(detail.digest);
  const parts = useMemo(() => partsToSee(detail), [detail.digest]);
  const unread = parts.filter(({ id }) => !seen.has(id));
  const shown = useShown(detail);
  const change = (changes: Partial<Progress>) => setProgress({ digest: detail.digest, opened, seen, ...changes });
  return {
    read,
    /** Long values open now. */
    opened,
    unread,
    isCardUnseen: !seen.has(cardPart),
    /** Long values that were opened and seen to their end, for the vote. */
    openedParts: parts.flatMap(({ id, opens }) => (opens !== undefined && seen.has(id) ? [opens] : [])),
    token: shown.token,
    secondsLeft: useSecondsLeft(shown.readyAt, elapsed),
    pauseLeft: useSecondsLeft(detail.pausedUntil ?? 0, serverNow),
    isChanged: read.digest !== detail.digest && !isClosed(detail.status),
    openValue: (path: string) => change({ opened: new Set([...opened, path]) }),
    closeValue: (path: string) => change({ opened: new Set([...opened].filter((other) => other !== path)) }),
    noteSeen: (ids: string[]) => change({ seen: new Set([...seen, ...ids]) }),
    confirm: (now = detail) => setRead(now),
  };
}

interface Progress {
  digest: string;
  opened: ReadonlySet<string>;
  seen: ReadonlySet<string>;
}

const nothingOf = (digest: string): Progress => ({ digest, opened: new Set(), seen: new Set() });

/** The first proof that these bytes were shown: a later one would restart the reading time. */
function useShown(detail: ElicitationDetail) {
  const [shown, setShown] = useState(() => showingOf(detail));
  const isSame = shown.digest === detail.digest && (shown.token !== null || detail.reading === null);
  if (isSame) return shown;
  const first = showingOf(detail);
  setShown(first);
  return first;
}

const showingOf = ({ digest, reading }: ElicitationDetail) => ({
  digest,
  token: reading?.token ?? null,
  readyAt: reading === null ? 0 : elapsed() + reading.time,
});

/** Milliseconds by a clock that is never set: reading time passes whatever the clocks of device and server show. */
const elapsed = (): number => performance.now();

export type Reading = ReturnType<typeof useReading>;

/** Whole seconds until this moment, 0 after it; redraws only while some are left. */
function useSecondsLeft(until: number, now: () => number): number {
  const [draws, redraw] = useState(0);
  const seconds = Math.max(0, Math.ceil((until - now()) / 1000));
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => redraw(draws + 1), Math.max(0, until - (seconds - 1) * 1000 - now()));
    return () => clearTimeout(timer);
  }, [until, now, seconds, draws]);
  return seconds;
}

/** Faults found by the server, sorted by the place that shows them. */
export interface ServerFaults {
  fields: Faults;
  comment: string | null;
  /** Faults that belong to no control, shown above them. */
  rest: string[];
}

const noServerFaults: ServerFaults = { fields: {}, comment: null, rest: [] };

/** Sorts the server's errors; the first sentence for each place counts. */
export function sortServerErrors(error: unknown): ServerFaults {
  if (!(error instanceof Problem)) return noServerFaults;
  const fields = new Map<string, string>();
  const rest: string[] = [];
  let comment: string | null = null;
  for (const { path, message } of error.errors) {
    const [root, name] = path;
    if (root === 'content' && name !== undefined) fields.set(`${name}`, fields.get(`${name}`) ?? message);
    else if (root === 'comment') comment ??= message;
    else rest.push(message);
  }
  return { fields: Object.fromEntries(fields), comment, rest };
}

/** A part of the request; for a long value, `opens` is its key to be opened. */
interface ReadingPart {
  id: string;
  opens?: string;
}

/** Part for the content next to the buttons. */
export const cardPart = 'card';
export const reachesPart = 'reaches';
export const argumentsPart = 'arguments';
export const urlPart = 'url';
export const requesterPart = 'requester';
export const questionPart = 'question';
export const valuePart = (pointer: string): string => `value${pointer}`;

/** Parts that have to be on the screen before approval, in the order of the page. */
function partsToSee(detail: ElicitationDetail): ReadingPart[] {
  const { arguments: json, requester, message, mode, tool } = detail;
  const long = longIn(json).map((pointer) => ({ id: valuePart(pointer), opens: pointer }));
  const parts: [string, boolean][] = [
    [reachesPart, tool.reaches !== null],
    [argumentsPart, long.length > 0 || countHidden(detail) > 0],
    [urlPart, mode === 'url'],
    [requesterPart, isCutAt(requester.subject, maxOnCard.value)],
    [questionPart, isQuestionCut(message)],
  ];
  return [...long, ...parts.filter(([, isNeeded]) => isNeeded).map(([id]) => ({ id }))];
}

/** Values that have to be opened. Arguments that cannot be laid out are one text. */
export function longIn(json: string): string[] {
  return layOutArguments(json) === null ? [''] : longValues(JSON.parse(json) as Record<string, unknown>);
}
