import { isCollection, follow, readPointer, nameWords } from './facts.ts';
import type { ElicitationId } from '#platform/model/id';
import { plus } from '#platform/model/decimal';
import { maxValueLength, kindOf } from './shown.ts';
import type { ShownFact } from './shown-fact.ts';

export const newThings = ['payee', 'host', 'path'] as const;

/** Numbers of past requests: the most that signals look at, and the fewest from which they say anything. */
export const signalLimits = {
  /** The latest approved calls of the same tool and server. */
  approved: { most: 20, fewest: 5 },
  /** The latest ended requests of the requester or, if these are too few, of the tool. */
  ended: { most: 50, fewest: 20 },
  /** Requests of the same requester in so many milliseconds, this one included. */
  burst: { within: 600_000, most: 50, fewest: 5 },
  /** An amount is named from this many times the median. */
  times: 2,
  /** Milliseconds around a time of day that count as the same part of the day. */
  around: 3 * 3_600_000,
} as const;

/** The most sources that an explanation names. */
const maxSources = 20;

/** A past request that a signal was computed from. */
export interface Source {
  id: ElicitationId;
  at: number;
}

/** The newest first, and how many there were. */
export interface Sources {
  from: Source[];
  of: number;
}

export interface PastCall extends Source {
  arguments: unknown;
  /** The tool as people read it, and the digest of its schema, as canonical JSON. */
  definition: string;
  /** The command or address of the tool's server; null if nothing has told it. */
  reaches: string | null;
  /** Is it checked who asks? */
  isChecked: boolean;
}

/**
 * A difference between a request and those before it. Computed from stored requests alone, never from what a caller says
 * of it.
 */
export type Signal = CallSignal | RequestSignal;

/** A difference between its call and approved ones. */
type CallSignal = Sources &
  (
    | { kind: 'definition' }
    | { kind: 'reaches' }
    | { kind: 'unchecked' }
    | { kind: 'new'; what: (typeof newThings)[number]; label: string; value: string }
    | { kind: 'amount'; label: string; times: number; usual: number }
  );

/** Unusual time or frequency of a request. */
type RequestSignal = Sources & ({ kind: 'burst'; calls: number; isMore: boolean } | { kind: 'hour'; at: number });

export interface Present {
  at: number;
  arguments: unknown;
  definition: string;
  reaches: string | null;
  isChecked: boolean;
  facts: readonly Pick<ShownFact, 'label' | 'paths'>[];
}

/** Differences between the call and the latest approved ones of its tool, which come newest first. */
export function signalsOfCall(present: Present, approved: readonly PastCall[]): CallSignal[] {
  const [latest] = approved;
  const facts = present.facts.map(({ label, paths: [path = ''] }) => ({ label, steps: readPointer(path) ?? [] }));
  const isLong = approved.length >= signalLimits.approved.fewest;
  return [
    ...(latest && latest.reaches !== null && latest.reaches !== present.reaches
      ? [{ kind: 'reaches' as const, ...sources([latest]) }]
      : []),
    ...(latest && latest.definition !== present.definition
      ? [{ kind: 'definition' as const, ...sources([latest]) }]
      : []),
    ...(isLong && !present.isChecked && approved.every(({ isChecked }) => isChecked)
      ? [{ kind: 'unchecked' as const, ...sources(approved) }]
      : []),
    ...(isLong ? facts.flatMap((fact) => newIn(present, approved, fact) ?? []) : []),
    ...facts.flatMap((fact) => amountIn(present, approved, fact) ?? []).slice(0, 1),
  ];
}

/** Signals many requests of one requester in the last minutes; `others` are their other requests of that time. */
export function signalOfBurst(others: readonly Source[]): RequestSignal[] {
  const { most, fewest } = signalLimits.burst;
  const calls = Math.min(others.length + 1, most);
  if (calls < fewest) return [];
  return [{ kind: 'burst', calls, isMore: others.length + 1 > most, ...sources([...others].reverse()) }];
}

/** Signals an unusual time of day: none of these, newest first, was asked at about this time. */
export function signalOfHour(at: number, ended: readonly Source[]): RequestSignal[] {
  if (ended.length < signalLimits.ended.fewest) return [];
  if (ended.some((past) => distance(past.at, at) <= signalLimits.around)) return [];
  return [{ kind: 'hour', at, ...sources(ended) }];
}

const day = 86_400_000;

/** Between two times of the day, whichever way round is shorter: the same in every time zone. */
function distance(first: number, other: number): number {
  const apart = Math.abs(first - other) % day;
  return Math.min(apart, day - apart);
}

const sources = (calls: readonly Source[]): Sources => ({
  from: calls.slice(0, maxSources).map(({ id, at }) => ({ id, at })),
  of: calls.length,
});

interface Placed {
  label: string;
  steps: string[];
}

/** A value that none of the calls had in the same place. Of a list, its first such member. */
function newIn(present: Present, approved: readonly PastCall[], { label, steps }: Placed): CallSignal | null {
  const value = follow(present.arguments, steps);
  const kind = kindOf(steps, value);
  if (kind !== 'recipient' && kind !== 'path') return null;
  const past = approved.map((call) => membersAt(call.arguments, steps));
  const isHost = membersAt(present.arguments, steps).some(({ isHost }) => isHost);
  const what = isHost ? 'host' : kind === 'recipient' ? 'payee' : 'path';
  if (what === 'path' && !isRepeated(past)) return null;
  const pastTexts = new Set(past.flat().map(({ text }) => text));
  const fresh = membersAt(present.arguments, steps).find(({ text }) => !pastTexts.has(text));
  return fresh ? { kind: 'new', what, label, value: cut(fresh.text), ...sources(approved) } : null;
}

const cut = (text: string): string => [...text].slice(0, maxValueLength).join('');

interface Member {
  text: string;
  isHost: boolean;
}

/** Addresses are compared by their host, everything else character by character. */
function membersAt(args: unknown, steps: string[]): Member[] {
  const value = follow(args, steps);
  const members: unknown[] = Array.isArray(value) ? value : [value];
  return members.filter((member) => member !== undefined && member !== null && !isCollection(member)).map(memberOf);
}

function memberOf(value: unknown): Member {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const host = /^[a-z][a-z\d+.-]*:\/\//i.test(text) && URL.canParse(text) ? new URL(text).host : '';
  return host === '' ? { text, isHost: false } : { text: host, isHost: true };
}

/** Where most calls have a path of their own, another one says nothing. */
const isRepeated = (past: Member[][]): boolean => {
  const texts = past.flat().map(({ text }) => text);
  return new Set(texts).size <= texts.length / 2;
};

/** An amount that is several times the median of those in the same currency. */
function amountIn(present: Present, approved: readonly PastCall[], { label, steps }: Placed): CallSignal | null {
  const amount = amountAt(present.arguments, steps);
  if (amount === null) return null;
  const currency = currenciesIn(present.arguments);
  const like = approved.filter(
    (call) => amountAt(call.arguments, steps) !== null && currenciesIn(call.arguments) === currency,
  );
  if (like.length < signalLimits.approved.fewest) return null;
  const usual = medianOf(like.flatMap((call) => amountAt(call.arguments, steps) ?? []));
  if (usual <= 0 || amount < signalLimits.times * usual) return null;
  return { kind: 'amount', label, times: Math.round((amount / usual) * 10) / 10, usual, ...sources(like) };
}

/** A number, or plain digits; what is grouped or has a currency in it is not read. */
function amountAt(args: unknown, steps: string[]): number | null {
  const value = follow(args, steps);
  if (kindOf(steps, value) !== 'amount') return null;
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\d{1,15}(\.\d+)?$/.test(value))) return null;
  return Number(value);
}

const unitNames = new Set('currency ccy unit units asset coin denomination token'.split(' '));

/** Everything in the arguments that says what is counted: calls in which it differs are never compared. */
function currenciesIn(args: unknown): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (!isCollection(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (nameWords(name).some((word) => unitNames.has(word))) texts.push(JSON.stringify(member));
      collect(member);
    }
  };
  collect(args);
  return JSON.stringify([...new Set(texts)].sort());
}

function medianOf(values: number[]): number {
  const sorted = values.toSorted((first, other) => first - other);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === high ? low : Number(plus(String(low), String(high))) / 2;
}
