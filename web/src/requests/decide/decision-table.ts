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

/** Who can decide the stage of now; null if none is open, or no one in particular is meant. */
function formatWhoseTurn(stages: ShownStage[]): string | null {
  const at = stages.findIndex(({ state }) => state === 'current');
  const groups = stages[at]?.groups.filter(({ have, need }) => have < need) ?? [];
  const people = groups.flatMap(({ open }) => open ?? []);
  if (people.length === 0 || groups.some(({ open }) => open === null)) return null;
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return reasons.turn(formatWaiting([...names.values()], 1), at + 1, stages.length);
}

/** Everything on the page that bears on whether a button may be pressed. */
export interface DecisionFacts {
  can: ElicitationDetail['can'];
  stages: ElicitationDetail['stages'];
  /** Parts of the request that were not on the screen yet. */
  unread: number;
  /** Something of the card was not: its sheet scrolls where text is large or the screen is low. */
  isCardUnseen: boolean;
  /** The request changed under the reader, who has not said that the new one was read. */
  isChanged: boolean;
  /** Of the time that must be left for reading. */
  secondsLeft: number;
  /** Of the pause of a person who approves too fast. */
  pauseLeft: number;
  /** This person casts the vote of someone who handed it over; the server has said that this counts. */
  isForAbsent: boolean;
  isSending: boolean;
}

/** What ends or counts; the rest is no decision. */
export type Verb = 'approve' | 'decline' | 'cancel';
type Step = Verb | Exclude<keyof ElicitationDetail['can'], 'vote' | 'cancel'>;

/** The one table of what may be pressed, and why not. The server decides again by itself. */
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

/** Milliseconds; a pause of more than 90 seconds is said in minutes. */
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

/** If others must decide first, it names them. */
function formatWhy(permission: ElicitationDetail['can']['vote'], stages: ElicitationDetail['stages']): Permission {
  const turn = permission.refusal === 'other-stage' ? formatWhoseTurn(stages) : null;
  return turn === null ? formatPermission(permission) : refuse(turn);
}

/** Characters. What is cut is marked, and has to be on the screen in full before anyone approves. */
export const maxOnCard = { question: 140, value: 56, label: 40 };

export type Fact = ElicitationDetail['facts'][number];

export const isCutAt = (text: string, most: number): boolean => Array.from(text).length > most;

/** The whole stored value of a fact, with its currency: the answer of the server holds only its beginning. */
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

/** What a fact was in the last approved call: undefined if it did not change or was a group, null if it had none. */
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

/** How many values of the arguments the card does not show in full; infinite if they cannot be laid out. */
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

/** What of the question is left to the page: its further lines, or its end. */
export const isQuestionCut = (message: string): boolean =>
  firstLineOf(message) !== message.trim() || isCutAt(firstLineOf(message), maxOnCard.question);

interface LeftFacts {
  isChanged: boolean;
  /** Null if no passkey must sign. */
  signing: { isReady: boolean } | null;
  /** Parts of the request that were not on the screen yet. */
  unread: number;
  isCardUnseen: boolean;
  answers: Extract<Left, { kind: 'answers' }> | null;
  isCommentMissing: boolean;
  /** What must still be typed. */
  untyped: readonly string[];
}

/** In the order in which one reads: first what is decided, then what goes along with the vote. */
export function whatIsLeft(facts: LeftFacts): Left | null {
  const { isChanged, signing, unread, isCardUnseen, answers, isCommentMissing, untyped } = facts;
  if (isChanged) return { kind: 'changed' };
  if (signing?.isReady === false) return { kind: 'passkey' }; // first, because one leaves the page for it
  if (unread > 0 || isCardUnseen) return { kind: 'read' };
  const [text] = untyped;
  if (answers === null && !isCommentMissing && text !== undefined) return { kind: 'typed', text };
  return answers ?? (isCommentMissing ? { kind: 'comment' } : null);
}

/** The fields of the form that have something wrong, in their order. */
export function answersLeft(schema: FormSchema, faulty: string[], isEmpty: (name: string) => boolean) {
  const names = Object.keys(schema.properties).filter((name) => faulty.includes(name));
  const [first] = names;
  if (first === undefined) return null;
  const title = schema.properties[first]?.title ?? first;
  return { kind: 'answers', count: names.length, first: title, isMissing: isEmpty(first) } as const;
}

/** More, or with longer texts, would push the buttons out of sight. */
const maxInCard = { fields: 2, options: 4, characters: 140 };

/** Is the form one or two choices? Then it stands in the decision card. */
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
