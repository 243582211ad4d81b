import type { ShownStage } from '#requests/voting/contract/stages';
import { formatWaiting } from './words/format-waiting.ts';
import { reasons } from './words/words.ts';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { Comparison } from '#requests/inbox/contract/signal';
import { formatPermission, type Permission } from '../../people/roles/permission-table.ts';
import { factText, isCollection, follow, readPointer } from '#requests/facts/contract/facts';
import { layOutArguments } from '../inbox/argument-rows.ts';
import { firstLineOf } from '../inbox/first-line.ts';
import { fieldKind, optionsOf, type FormSchema } from '#platform/form/schema';
import type { Left } from './words/later-words.ts';

/** People who can decide the current stage; null if none is open, or anyone can. */
function formatWhoseTurn(stages: ShownStage[]): string | null {
  const at = stages.findIndex(({ state }) => state === 'current');
  const groups = stages[at]?.groups.filter(({ have, need }) => have < need) ?? [];
  const people = groups.flatMap(({ open }) => open ?? []);
  if (people.length === 0 || groups.some(({ open }) => open === null)) return null;
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return reasons.turn(formatWaiting([...names.values()], 1), at + 1, stages.length);
}

/** All facts of the page that decide whether a button may be pressed. */
export interface DecisionFacts {
  can: ElicitationDetail['can'];
  stages: ElicitationDetail['stages'];
  /** Number of parts of the request not on the screen yet. */
  unread: number;
  /** Set if part of the card was not visible: its sheet scrolls where text is large or the screen is low. */
  isCardUnseen: boolean;
  /** Set if the request changed after it was read, and the reader has not confirmed the new version. */
  isChanged: boolean;
  /** Remaining reading time. */
  secondsLeft: number;
  /** Remaining pause of a person who approves too fast. */
  pauseLeft: number;
  /** Set if this person casts a delegated vote that the server accepts. */
  isForAbsent: boolean;
  isSending: boolean;
}

/** Votes, and ending the request; other steps are no decision. */
export type Verb = 'approve' | 'decline' | 'cancel';
type Step = Verb | Exclude<keyof ElicitationDetail['can'], 'vote' | 'cancel'>;

/** The one table of permitted presses, with reasons. The server decides again by itself. */
export function mayDecide(facts: DecisionFacts): Record<Step, Permission> {
  const { unread, isCardUnseen, isChanged, secondsLeft, pauseLeft, isForAbsent } = facts;
  const can = formatAll(facts);
  const read = isChanged ? refuse(reasons.changed) : allow;
  const opened = unread > 0 ? refuse(reasons.unread) : allow;
  const shown = isCardUnseen ? refuse(reasons.unread) : opened;
  const waited = secondsLeft > 0 ? refuse(reasons.readFirst(secondsLeft)) : allow;
  const rested = pauseLeft > 0 ? refuse(reasons.pauseFirst(roundedPause(pauseLeft))) : allow;
  const vote = isForAbsent ? allow : can.vote;
  const anyTime = (permission: Permission) => firstRefusal(permission, sending(facts));
  const onceRead = (permission: Permission) => firstRefusal(permission, sending(facts), read);
  return {
    approve: firstRefusal(vote, sending(facts), rested, read, shown, waited),
    decline: onceRead(vote),
    cancel: onceRead(can.cancel),
    extend: anyTime(can.extend),
    withdrawVote: anyTime(can.withdrawVote),
    revoke: anyTime(can.revoke),
    edit: onceRead(can.edit),
    addApprover: onceRead(can.addApprover),
    watch: anyTime(can.watch),
    comment: anyTime(can.comment),
    inquire: onceRead(can.inquire),
    postpone: onceRead(can.postpone),
    breakGlass: firstRefusal(can.breakGlass, sending(facts), read, opened, waited),
    reviewBreakGlass: anyTime(can.reviewBreakGlass),
    reviewLookBack: anyTime(can.reviewLookBack),
  };
}

/** Pause in milliseconds; more than 90 seconds are rounded to minutes. */
const roundedPause = (seconds: number): number => (seconds > 90 ? Math.ceil(seconds / 60) * 60_000 : seconds * 1000);
const allow: Permission = { allowed: true, reason: null };
const refuse = (reason: string): Permission => ({ allowed: false, reason });
const sending = ({ isSending }: DecisionFacts): Permission => (isSending ? refuse(reasons.sending) : allow);
const firstRefusal = (...permissions: Permission[]): Permission => permissions.find(({ allowed }) => !allowed) ?? allow;

const formatAll = ({ can, stages }: DecisionFacts) =>
  Object.fromEntries(Object.entries(can).map(([verb, permission]) => [verb, formatWhy(permission, stages)])) as Record<
    keyof ElicitationDetail['can'],
    Permission
  >;

/** The permission with the reason in words; if others must decide first, it names them. */
function formatWhy(permission: ElicitationDetail['can']['vote'], stages: ElicitationDetail['stages']): Permission {
  const turn = permission.refusal === 'other-stage' ? formatWhoseTurn(stages) : null;
  return turn === null ? formatPermission(permission) : refuse(turn);
}

/** Limits in characters. A cut text is marked, and has to be on the screen in full before approval. */
export const maxOnCard = { question: 140, value: 56, label: 40 };

export type Fact = ElicitationDetail['facts'][number];

export const isCutAt = (text: string, most: number): boolean => Array.from(text).length > most;

/** The whole stored value of a fact, with its currency: the server's answer has only its beginning. */
export function wholeFact({ paths, value, minor }: Fact, json: string): string | null {
  if (value === null) return null;
  const args: unknown = JSON.parse(json);
  return (minor === null ? paths : paths.slice(0, 1))
    .map((path) => factText(follow(args, readPointer(path) ?? [])))
    .join(' ');
}

/** Is it a number in the arguments, and no text of digits such as a telephone number? */
export const isNumberFact = ({ paths: [path = ''] }: Fact, json: string): boolean =>
  typeof follow(JSON.parse(json), readPointer(path) ?? []) === 'number';

type Differences = Comparison['differences'];

/** Value of a fact in the last approved call: undefined if unchanged or a group, null if it had none. */
export function factBefore({ paths, minor }: Fact, json: string, differences: Differences): string | null | undefined {
  const changes = paths.map((path) => differences.find(({ pointer }) => pointer === path));
  if (changes.every((change) => change === undefined)) return undefined;
  const args: unknown = JSON.parse(json);
  const parts = paths.map((path, at) => {
    const change = changes[at];
    return change === undefined ? follow(args, readPointer(path) ?? []) : change.before;
  });
  const [value] = parts;
  if (value === undefined) return null;
  if (isCollection(value)) return undefined;
  const shown = minor === null ? parts : parts.slice(0, 1);
  return shown
    .filter((part) => part !== undefined)
    .map(factText)
    .join(' ');
}

/** Number of argument values that the card does not show in full; infinite if they cannot be laid out. */
export function countHidden({ facts, arguments: json }: Pick<ElicitationDetail, 'facts' | 'arguments'>): number {
  const rows = layOutArguments(json);
  if (rows === null) return Infinity;
  const isWhole = (fact: Fact) => {
    const text = wholeFact(fact, json);
    return text !== null && !isCutAt(text, maxOnCard.value) && !isCutAt(fact.label, maxOnCard.label);
  };
  const shown = facts.filter(isWhole).flatMap(({ paths }) => paths);
  const isShown = (pointer: string) => shown.some((path) => pointer === path || pointer.startsWith(`${path}/`));
  const leaves = rows.filter(({ kind, value }) => (kind !== 'group' && kind !== 'list') || value === '0');
  return leaves.filter(({ pointer }) => !isShown(pointer)).length;
}

/** Does the page show more of the question than the card: further lines, or its end? */
export const isQuestionCut = (message: string): boolean =>
  firstLineOf(message) !== message.trim() || isCutAt(firstLineOf(message), maxOnCard.question);

interface LeftFacts {
  isChanged: boolean;
  /** Null if no passkey is needed. */
  signing: { isReady: boolean } | null;
  /** Number of parts of the request not on the screen yet. */
  unread: number;
  isCardUnseen: boolean;
  answers: Extract<Left, { kind: 'answers' }> | null;
  isCommentMissing: boolean;
  /** Texts still to be typed. */
  untyped: readonly string[];
}

/** The first missing step, in reading order: first the subject, then the options of the vote. */
export function whatIsLeft(facts: LeftFacts): Left | null {
  const { isChanged, signing, unread, isCardUnseen, answers, isCommentMissing, untyped } = facts;
  if (isChanged) return { kind: 'changed' };
  if (signing?.isReady === false) return { kind: 'passkey' }; // first, because it leads to another page
  if (unread > 0 || isCardUnseen) return { kind: 'read' };
  const [text] = untyped;
  if (answers === null && !isCommentMissing && text !== undefined) return { kind: 'typed', text };
  return answers ?? (isCommentMissing ? { kind: 'comment' } : null);
}

/** Faulty fields of the form, in their order. */
export function answersLeft(schema: FormSchema, faulty: string[], isEmpty: (name: string) => boolean) {
  const names = Object.keys(schema.properties).filter((name) => faulty.includes(name));
  const [first] = names;
  if (first === undefined) return null;
  const title = schema.properties[first]?.title ?? first;
  return { kind: 'answers', count: names.length, first: title, isMissing: isEmpty(first) } as const;
}

/** Limits above which the buttons would move out of sight. */
const maxInCard = { fields: 2, options: 4, characters: 140 };

/** Does the form fit in the card: one or two choices? */
export function standsInCard(schema: FormSchema): boolean {
  const fields = Object.values(schema.properties);
  const isShort = (text: string | undefined) => (text ?? '').length <= maxInCard.characters;
  return (
    fields.length > 0 &&
    fields.length <= maxInCard.fields &&
    isShort(schema.description) &&
    fields.every((field) => {
      const kind = fieldKind(field);
      const options = kind === 'single-select' ? optionsOf(field) : [];
      const isChoice = kind === 'boolean' || (kind === 'single-select' && options.length <= maxInCard.options);
      return isChoice && [field.title, field.description, ...options.map(({ title }) => title)].every(isShort);
    })
  );
}
