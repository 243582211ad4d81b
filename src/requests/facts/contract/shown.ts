import {
  factText,
  isCollection,
  maxFacts,
  type KeyFact,
  minorUnitOf,
  follow,
  readPointer,
  showStep,
  writePointer,
  nameWords,
  isFact,
} from './facts.ts';
import type { ShownFact } from './shown-fact.ts';

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

export const maxValueLength = 200;

/** A value of the arguments that is worth showing first. */
interface ChosenFact {
  steps: string[];
  /** What the value means only together with, such as the currency of an amount. */
  unit: string[] | null;
}

/** The number of facts shown if nothing in the arguments stands out. */
const fewestFacts = 3;

const maxFillerLength = 120;

/**
 * Chooses the facts that an approver should see first if no one has named any: amounts, recipients, the environment,
 * statements, commands and paths; then other short values until there are three. It goes by names and, for SQL, by the
 * value. Facts keep the order of the arguments, as the caller wrote them.
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

/** The kind of a value, by its own name, then by the nearest group it is in. */
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
const isStatement = (steps: string[], value: unknown): value is string =>
  typeof value === 'string' && kindOf(steps, value) === 'statement';

const isFiller = (value: unknown): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0) && String(value).length <= maxFillerLength;

const byDepth = (first: Leaf, other: Leaf): number => first.steps.length - other.steps.length;

const byRank = (first: Leaf, other: Leaf): number =>
  (first.kind === null ? kinds.length : kinds.indexOf(first.kind)) -
    (other.kind === null ? kinds.length : kinds.indexOf(other.kind)) || byDepth(first, other);
