import { codePoint, hiddenNames, hiddenPlaces } from '#platform/text/hidden-characters';
import { lookalikeNote } from '#platform/text/lookalike-words';
import { revealText } from '#platform/text/visible-text';
import { compileCondition } from './expression.ts';
import type { PolicyDocument } from '../../document/rules/document.ts';
import { formatsIn } from '#platform/text/formats';
import type { z } from 'zod';
import { nearestName } from '#platform/text/nearest-name';
import type { FieldError } from '#platform/model/problem';
import { policySchema } from './schema.ts';

/**
 * Refuses characters in a new version that its reviewers would not see, anywhere in the text, comments included. As an
 * escape they are seen. Versions that were published before this rule keep their text.
 */
export const hiddenFaults = (text: string): { message: string; offset: number }[] =>
  hiddenPlaces(text).map(({ offset, character }) => {
    const name = hiddenNames[character];
    const shown = `${codePoint(character)}${name === undefined ? '' : ` (${name})`}`;
    return {
      offset,
      message: `Remove the hidden character ${shown}, or write "${escapeOf(character)}" in double quotes.`,
    };
  });

/** As YAML and CEL read it. */
function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Words that may imitate others, with their lines: a reader takes them for what does not run. They are no faults: other scripts are. */
export const lookalikeWarnings = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, at) =>
      revealText(line).flatMap((segment) =>
        segment.kind === 'lookalike' ? [`Line ${at + 1}: ${segment.text} is ${lookalikeNote(segment)}.`] : [],
      ),
    );

/**
 * Refuses conditions in a new version that allow shell commands by their beginning, or by a part of them. Versions that
 * were published before this rule keep their text.
 */
export function commandFaults({ when, rules }: PolicyDocument): Fault[] {
  const isAlone = rules.length === 1 && rules[0]?.when === null;
  const allowing = rules.flatMap((entry, at) => (entry.rule.outcome === 'allow' ? [{ when: entry.when, at }] : []));
  if (allowing.length === 0) return [];
  return [
    ...faultsIn(when, ['when']),
    ...allowing.flatMap((entry) => faultsIn(entry.when, isAlone ? ['when'] : ['rules', entry.at, 'when'])),
  ];
}

function faultsIn(text: string | null, path: Fault['path']): Fault[] {
  const compiled = text === null ? null : compileCondition(text, 'request');
  if (!compiled?.ok || compiled.condition.ofCommand === null) return [];
  const { message, offset } = compiled.condition.ofCommand;
  return [{ path, message, within: offset }];
}

const { all, any } = formatsIn('en');

/** One fault in a document. */
export interface Fault extends FieldError {
  /** The last step of `path` is a key that must not be there: the key is meant, not its value. */
  isKey?: true;
  /** The offset within an expression. */
  within?: number;
}

type Path = FieldError['path'];
type Issue = z.core.$ZodIssue;

/** The issues of this document as faults, each at the place it is about: of alternatives, the one the writer meant. */
export function flattenIssues(issues: readonly Issue[], document: unknown, prefix: Path = []): Fault[] {
  return issues.flatMap((issue) => flattenIssue(issue, document, [...prefix, ...(issue.path as Path)]));
}

function flattenIssue(issue: Issue, document: unknown, path: Path): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: formatWhereTo(key, path) ?? formatNoKey(key, knownKeys(path)),
      isKey: true,
    }));
  if (isMissing(document, path)) return [{ path, message: formatMissing(issue, path) }];
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.filter((errors) => errors.length > 0 && !errors.some(isOtherKind));
    const [only] = meant.toSorted((a, b) => deepest(b) - deepest(a));
    return only ? flattenIssues(only, document, path) : [{ path, message: sentenceOf(issue, path) }];
  }
  const offset: unknown = issue.code === 'custom' ? issue.params?.['offset'] : undefined;
  if (issue.code === 'invalid_key') return [{ path, message: keySentence(issue), isKey: true }];
  return [{ path, message: sentenceOf(issue, path), ...(typeof offset === 'number' ? { within: offset } : {}) }];
}

/** This alternative is of another kind: a text instead of a list, or another word. */
const isOtherKind = ({ path, code }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');

const deepest = (issues: readonly Issue[]): number => Math.max(...issues.map(({ path }) => path.length));

/** Advice for a key that people expect here; null if there is none. */
function formatWhereTo(key: string, path: Path): string | null {
  const place = path.at(-1);
  const isOfRule = path.at(-2) === 'rules';
  if (others.includes(key) && (place === undefined || isOfRule || outcomes.includes(`${place}`))) return otherwise;
  if (isOfRule && knownKeys([]).includes(key)) return formatOfPolicy(key);
  if (key === 'when' && knownKeys(path.slice(0, -1)).includes(key)) return `Move when one level up, next to ${place}.`;
  if (place !== 'require') return null;
  if (key === 'not') return 'Delete this line: the requester never votes. For others, write separation.';
  const isOfStage = knownKeys([...path, 'stages', 0]).includes(key);
  return isOfStage ? `Move ${key} into a stage: stages: [{ name: Approval, ${key}: … }].` : null;
}

const outcomes = ['allow', 'confirm', 'deny', 'require'];
/** Keys that people try for all other calls. */
const others = ['else', 'otherwise'];
const otherwise =
  'Write this as the last of `rules`, without `when`, such as rules: [{ when: …, require: … }, { confirm: {} }].';

const formatOfPolicy = (key: string): string =>
  key === 'retire' || key === 'rules'
    ? `Delete this line: ${key} stands alone, at the top of a policy.`
    : `Move ${key} to the top of the policy, above \`rules\`: it holds for all of them.`;

/** The message lists what is allowed instead. */
function formatNoKey(key: string, keys: string[]): string {
  const near = nearestName(key, keys);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return `There is no key ${key} here.${meant}${keys.length > 0 ? ` There are ${all(keys)}.` : ''}`;
}

function isMissing(document: unknown, path: Path): boolean {
  const key = path.at(-1);
  if (typeof key !== 'string') return false;
  const parent = path.slice(0, -1).reduce<unknown>(valueIn, document);
  return isRecord(parent) && !Object.hasOwn(parent, key);
}

const valueIn = (value: unknown, step: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key, and what its value must be, or else what it means. */
function formatMissing(issue: Issue, path: Path): string {
  const more = isOurs(issue) ? issue.message.replace(/^Must/, 'It must') : meaningAt(path);
  return `Must be given: ${path.at(-1)}. ${more}`.trimEnd();
}

const keySentence = ({ issues }: { issues: readonly Issue[] }): string =>
  issues[0]?.message ?? 'There is no such key here.';

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
};

/** Our own sentences are kept; the library's are reworded for a document. */
const isOurs = ({ message }: Issue): boolean => !/^(Invalid|Too|Unrecognized|Expected)/.test(message);

function sentenceOf(issue: Issue, path: Path): string {
  if (isOurs(issue)) return issue.message;
  if (issue.code === 'invalid_type') {
    const keys = issue.expected === 'object' ? knownKeys(path) : [];
    return `Must be ${kinds[issue.expected] ?? issue.expected}${keys.length > 0 ? `: ${all(keys)}` : ''}.`;
  }
  if (issue.code === 'invalid_value') return `Must be ${any(issue.values.map(String))}.`;
  if (issue.code === 'too_big') return `Must be at most ${String(issue.maximum)}${formatItems(issue)}.`;
  if (issue.code === 'too_small') return `Must be at least ${String(issue.minimum)}${formatItems(issue)}.`;
  return `${issue.message}.`;
}

const formatItems = ({ origin }: { origin: string }): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' in number' : '';

/** The part of a JSON Schema that lists keys and their meanings. */
interface Shape {
  description?: string;
  properties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
}

let whole: Shape | undefined;

/** The keys that a policy may have at this place, in the order of the documents; of alternatives, those of all. */
const knownKeys = (path: FieldError['path']): string[] => [
  ...new Set(shapesAt(path).flatMap(({ properties = {} }) => Object.keys(properties))),
];

/** The meaning of this place, in a sentence; empty if there is none. */
const meaningAt = (path: FieldError['path']): string =>
  shapesAt(path).find(({ description }) => description !== undefined)?.description ?? '';

function shapesAt(path: FieldError['path']): Shape[] {
  whole ??= policySchema() as Shape;
  let shapes = branches(whole);
  for (const step of path) shapes = shapes.flatMap((shape) => stepInto(shape, step)).flatMap(branches);
  return shapes;
}

const branches = (shape: Shape): Shape[] => [
  shape,
  ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((all) => (all ?? []).flatMap(branches)),
];

function stepInto({ properties = {}, additionalProperties, items }: Shape, step: string | number): Shape[] {
  const shape =
    typeof step === 'number' ? items : (Object.hasOwn(properties, step) && properties[step]) || additionalProperties;
  return typeof shape === 'object' ? [shape] : [];
}
