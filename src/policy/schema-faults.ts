import type { z } from 'zod';
import type { FieldError } from '../model/problem.ts';

/** One thing that is wrong in a document. */
export interface Fault extends FieldError {
  /** The last step of `path` is a key that must not be there: the key is meant, not its value. */
  isKey?: true;
  /** Where within the text of an expression. */
  within?: number;
}

type Issue = z.core.$ZodIssue;

/** The issues as faults, each at the place it is about: of alternatives, the one the writer meant. */
export function flattenIssues(issues: readonly Issue[], prefix: FieldError['path'] = []): Fault[] {
  return issues.flatMap((issue) => flattenIssue(issue, [...prefix, ...(issue.path as FieldError['path'])]));
}

function flattenIssue(issue: Issue, path: FieldError['path']): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: `There is no key ${key} here.`, isKey: true }));
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.filter((errors) => errors.length > 0 && !errors.some(isOtherKind));
    const [only] = meant.toSorted((a, b) => deepest(b) - deepest(a));
    return only ? flattenIssues(only, path) : [{ path, message: sentenceOf(issue) }];
  }
  const offset: unknown = issue.code === 'custom' ? issue.params?.['offset'] : undefined;
  if (issue.code === 'invalid_key') return [{ path, message: keySentence(issue), isKey: true }];
  return [{ path, message: sentenceOf(issue), ...(typeof offset === 'number' ? { within: offset } : {}) }];
}

/** This alternative is of another kind altogether: a text where there is a list, another word. */
const isOtherKind = ({ path, code }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');

const deepest = (issues: readonly Issue[]): number => Math.max(...issues.map(({ path }) => path.length));

const keySentence = ({ issues }: { issues: readonly Issue[] }): string =>
  issues[0]?.message ?? 'There is no such key here.';

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a record',
  record: 'a record',
};

function sentenceOf(issue: Issue): string {
  // Sentences of our own stand; the library's are said again in the words of a document.
  if (!/^(Invalid|Too|Unrecognized|Expected)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') {
    const isMissing = issue.message.endsWith('received undefined');
    if (isMissing) return `Must be given: ${issue.path.map(String).at(-1) ?? 'a value'}.`;
    return `Must be ${kinds[issue.expected] ?? issue.expected}.`;
  }
  if (issue.code === 'invalid_value') return `Must be one of ${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'too_big') return `Must be at most ${String(issue.maximum)}.`;
  if (issue.code === 'too_small') return `Must be at least ${String(issue.minimum)}.`;
  return `${issue.message}.`;
}
