import {
  factText,
  isCollection,
  maxFacts,
  type KeyFact,
  minorUnitOf,
  type MinorUnit,
  follow,
  readPointer,
  showStep,
  writePointer,
  nameWords,
  isFact,
} from './facts.ts';
import type { ElicitationId } from '#platform/model/id';
import { plus } from '#platform/model/decimal';

export const factSources = ['policy', 'author', 'rule'] as const;

/** A key fact with the stored value it leads to. */
export interface ShownFact {
  /** As its author calls it; by rule, the path of the value, such as `to.iban` or `"to.iban"`. */
  label: string;
  source: (typeof factSources)[number];
  /** Pointers to everything its value is made of. */
  paths: string[];
  /** The beginning of the stored value; null if the arguments have none, or if it is a list of groups. */
  value: string | null;
  /** How many characters the stored value has. */
  length: number;
  /** How many members a list has. */
  members: number | null;
  /** The SQL verbs in the whole value. */
  verbs: string[];
  /** If an amount is not counted in its currency: in what, and the currency. It never stands next to such a number. */
  minor: { unit: MinorUnit; currency: string | null } | null;
}

/**
 * What is shown next to the buttons: what the policy names, else what the tool's author names, else chosen by rule. An amount
 * always comes with its currency, unless it is counted in a smaller unit.
 */
export function showFacts(
  args: Record<string, unknown>,
  policy: KeyFact[],
  author: KeyFact[],
  most = maxFacts,
): ShownFact[] {
  const source = policy.length > 0 ? 'policy' : 'author';
  const named = policy.length > 0 ? policy : author;
  if (named.length > 0) {
    return named.slice(0, most).map(({ label, path }) => {
      const steps = readPointer(path) ?? [];
      const group = follow(args, steps.slice(0, -1));
      return show(args, { label, source, steps, unit: isCollection(group) ? unitOf(group, steps) : null });
    });
  }
  return chooseFacts(args, most).map((chosen) =>
    show(args, { ...chosen, label: chosen.steps.map(showStep).join('.'), source: 'rule' }),
  );
}

interface PlacedFact extends Pick<ShownFact, 'label' | 'source'> {
  steps: string[];
  unit: string[] | null;
}

function show(args: Record<string, unknown>, { label, source, steps, unit: currency }: PlacedFact): ShownFact {
  const target = follow(args, steps);
  const minor = isAmount(target) ? minorUnitOf(steps) : null;
  const unit = minor === null ? currency : null;
  const parts = [target, ...(unit === null ? [] : [follow(args, unit)])];
  const text = isShown(target) ? parts.map(factText).join(' ') : null;
  const characters = [...(text ?? '')];
  return {
    label,
    source,
    paths: [steps, ...(currency === null ? [] : [currency])].map(writePointer),
    value: text === null ? null : characters.slice(0, maxValueLength).join(''),
    length: characters.length,
    members: Array.isArray(target) ? target.length : null,
    verbs: isStatement(steps, target) ? verbsOf(target) : [],
    minor: minor && { unit: minor, currency: currency === null ? null : factText(follow(args, currency)) },
  };
}

/** A number, or a text of digits. */
const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^[-+]?[\d.,\s]+$/.test(value));

const isShown = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.some(isCollection));

export const newThings = ['payee', 'host', 'path'] as const;

/** How far back signals look, and how short a history may be for them to say anything. */
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

/** Of these, an explanation names so many. */
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
  /** What people read of the tool, and the digest of its schema, as canonical JSON. */
  definition: string;
  /** What the server of the tool ran or where it was; null if nothing has told. */
  reaches: string | null;
  /** Is it checked who asks? */
  isChecked: boolean;
}

/** What sets a request apart from those before it. Computed from stored requests alone, never from what a caller says of it. */
export type Signal = CallSignal | RequestSignal;

/** What sets its call apart from approved ones. */
type CallSignal = Sources &
  (
    | { kind: 'definition' }
    | { kind: 'reaches' }
    | { kind: 'unchecked' }
    | { kind: 'new'; what: (typeof newThings)[number]; label: string; value: string }
    | { kind: 'amount'; label: string; times: number; usual: number }
  );

/** What sets apart when and how often it was asked. */
type RequestSignal = Sources & ({ kind: 'burst'; calls: number; isMore: boolean } | { kind: 'hour'; at: number });

export interface Present {
  at: number;
  arguments: unknown;
  definition: string;
  reaches: string | null;
  isChecked: boolean;
  facts: readonly Pick<ShownFact, 'label' | 'paths'>[];
}

/** What the call does that the latest approved ones of its tool did not. These are the newest first. */
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

/** That this requester asked so often in the last minutes; `others` are their other requests of that time. */
export function signalOfBurst(others: readonly Source[]): RequestSignal[] {
  const { most, fewest } = signalLimits.burst;
  const calls = Math.min(others.length + 1, most);
  if (calls < fewest) return [];
  return [{ kind: 'burst', calls, isMore: others.length + 1 > most, ...sources([...others].reverse()) }];
}

/** That none of these, newest first, was asked at about this time of the day. */
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

const maxValueLength = 200;
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

/** A value of the arguments that is worth showing first. */
interface ChosenFact {
  steps: string[];
  /** What the value means only together with, such as the currency of an amount. */
  unit: string[] | null;
}

/** So many are shown if nothing in the arguments stands out. */
const fewestFacts = 3;
const maxFillerLength = 120;

/**
 * What an approver should see first if no one has said it: amounts, recipients, the environment, statements, commands
 * and paths; then other short values until there are three. It goes by names and, for SQL, by the value. They stand in the
 * order of the arguments, as the caller wrote them.
 */
export function chooseFacts(args: Record<string, unknown>, most = maxFacts): ChosenFact[] {
  const leaves = leavesIn(args, []);
  const ranked = leaves.filter(({ kind }) => kind !== null).sort(byRank);
  const first = kinds.flatMap((kind) => ranked.filter((leaf) => leaf.kind === kind).slice(0, maxOfKind));
  const isFirst = new Set(first);
  const others = leaves.filter(({ kind, value }) => kind === null && isFiller(value)).sort(byDepth);
  const chosen = [...first, ...ranked.filter((leaf) => !isFirst.has(leaf))].slice(0, most);
  const shown = new Set([...chosen, ...others.slice(0, Math.max(0, fewestFacts - chosen.length))]);
  return leaves.filter((leaf) => shown.has(leaf)).map(({ steps, unit }) => ({ steps, unit }));
}

/** Five amounts would leave no room for who gets them. */
const maxOfKind = 2;

const kinds = ['amount', 'recipient', 'environment', 'statement', 'command', 'path'] as const;
type FactKind = (typeof kinds)[number];

const names: Record<FactKind, ReadonlySet<string>> = {
  amount: new Set(['amount', 'amounts', 'sum', 'total', 'price', 'cost', 'budget', 'quantity', 'salary']),
  recipient: new Set(
    (
      'to cc bcc recipient recipients payee payees beneficiary beneficiaries account accounts iban email emails mail ' +
      'phone customer customers receiver receivers destination addressee invitee invitees assignee channel'
    ).split(' '),
  ),
  environment: new Set(['environment', 'env', 'stage', 'cluster', 'namespace', 'region', 'tenant', 'target']),
  statement: new Set(['sql', 'query', 'statement', 'statements']),
  command: new Set(['command', 'cmd', 'script', 'shell']),
  path: new Set(
    (
      'path paths file files filename directory dir folder bucket key url uri host hostname domain repository repo ' +
      'branch table tables database resource resources'
    ).split(' '),
  ),
};

interface Leaf extends ChosenFact {
  kind: FactKind | null;
  value: unknown;
}

/** The currency is looked up once for each group: arguments can have thousands of members. */
function leavesIn(group: object, steps: string[]): Leaf[] {
  const currency = currencyIn(group);
  const hidden = currency !== undefined && isAmountIn(group, steps) ? currency : undefined;
  return Object.keys(group).flatMap((name): Leaf[] => {
    const value = (group as Record<string, unknown>)[name];
    const at = [...steps, name];
    if (isCollection(value) && !isFact(value) && !isCrowd(value)) return leavesIn(value, at);
    const kind = kindOf(at, value);
    return name === hidden ? [] : [{ steps: at, unit: unitWith(currency, at, kind), kind, value }];
  });
}

/** The steps to the currency of an amount, if it has one in its group. */
export function unitOf(group: object, steps: string[]): string[] | null {
  const value = (group as Record<string, unknown>)[steps.at(-1) ?? ''];
  return unitWith(currencyIn(group), steps, kindOf(steps, value));
}

const unitWith = (currency: string | undefined, steps: string[], kind: FactKind | null): string[] | null =>
  kind === 'amount' && currency !== undefined && currency !== steps.at(-1) ? [...steps.slice(0, -1), currency] : null;

const currencyIn = (group: object): string | undefined =>
  Object.keys(group).find((name) => nameWords(name).some((word) => currencies.has(word)));

/** Several things of one kind: showing the first of them would hide the rest. */
const isCrowd = (value: object): boolean => Array.isArray(value) && value.length > 1;

const isAmountIn = (value: object, steps: string[]): boolean =>
  Object.entries(value).some(([name, member]) => kindOf([...steps, name], member) === 'amount');

/** Words by which a name says that its value is a currency. */
export const currencies: ReadonlySet<string> = new Set(['currency', 'ccy']);

/** What a value is, by its own name, then by the nearest group it is in. */
export function kindOf(steps: string[], value: unknown): FactKind | null {
  for (const name of [...steps].reverse()) {
    const words = nameWords(name);
    const kind = kinds.find((candidate) => words.some((word) => names[candidate].has(word)));
    if (kind !== undefined && fits(kind, value)) return kind;
  }
  return typeof value === 'string' && beginsAsStatement.test(value) ? 'statement' : null;
}

function fits(kind: FactKind, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false;
  if (kind === 'amount') return isCollection(value) || typeof value === 'number' || /\d/.test(String(value));
  if (kind === 'statement') return typeof value === 'string' && verbsOf(value).length > 0;
  return true;
}

/** `recipientIban`, `recipient_iban` → recipient, iban. */

const verbs = 'select|insert|update|delete|merge|drop|truncate|alter|create|grant|revoke|call|exec|copy|vacuum';
const anyVerb = new RegExp(`\\b(${verbs})\\b`, 'gi');
const beginsAsStatement = new RegExp(
  `^\\s*(with\\s+\\w+\\s+as\\s*\\(|(select|delete|merge|drop|truncate|alter)\\s|insert\\s+into\\s|update\\s+\\S+\\s+set\\s|create\\s+(table|index|role|user)|grant\\s.+\\sto\\s|revoke\\s.+\\sfrom\\s)`,
  'i',
);

/** The SQL verbs anywhere in a statement, each once: what a long one ends with is seen as well as its start. */
export const verbsOf = (statement: string): string[] => [
  ...new Set((statement.match(anyVerb) ?? []).map((verb) => verb.toUpperCase())),
];

/** Does the rule read this value as SQL? */
export const isStatement = (steps: string[], value: unknown): value is string =>
  typeof value === 'string' && kindOf(steps, value) === 'statement';

const isFiller = (value: unknown): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0) && String(value).length <= maxFillerLength;

const byDepth = (first: Leaf, other: Leaf): number => first.steps.length - other.steps.length;

const byRank = (first: Leaf, other: Leaf): number =>
  (first.kind === null ? kinds.length : kinds.indexOf(first.kind)) -
    (other.kind === null ? kinds.length : kinds.indexOf(other.kind)) || byDepth(first, other);
