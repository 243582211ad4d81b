import { ScimError, scimPatch } from 'scim-patch';
import { parse, stringify, type Compare, type Filter } from 'scim2-parse-filter';
import { ScimProblem, scimTypes } from '../../contract/problem.ts';
import { knownPart, knownPath, withKnownNames, withKnownParts } from '../attributes/attributes.ts';

// The library walks any path, also one that leads out of the resource, such as `hasOwnProperty.call`. So it gets no other
// names than those that Assentry reads; a change of any other attribute changes nothing.

/** One operation of a PATCH, as it was sent. */
export interface PatchOperation {
  op: string;
  path?: string | null | undefined;
  value?: unknown;
}

/** The attributes after all operations, or a problem that names the operation; the given ones stay as they are. */
export function patched(
  attributes: Readonly<Record<string, unknown>>,
  operations: readonly PatchOperation[],
): Record<string, unknown> {
  const steps = operations.flatMap((operation, at) => stepsOf(operation, at));
  return steps.reduce(resourceAfter, structuredClone(withKnownNames(attributes)));
}

/** What each step costs grows with them. */
const maxAddresses = 100;

function resourceAfter(resource: Record<string, unknown>, step: Step): Record<string, unknown> {
  const { at, ...operation } = step;
  if (step.path === 'members') return { ...resource, members: membersAfter(resource['members'], step) };
  try {
    const after: Record<string, unknown> = scimPatch(resource as never, [operation as never], {
      mutateDocument: true,
      treatMissingAsAdd: true,
    });
    if (![after['emails']].flat()[maxAddresses]) return withOnePrimary(after, step);
  } catch (error) {
    const code = error instanceof ScimError ? error.scimCode : undefined;
    const scimType = scimTypes.find((type) => type === code) ?? 'invalidPath';
    throw refusal(scimType, at, 'path', wrongPath, error);
  }
  throw refusal('invalidValue', at, 'value', `Give at most ${maxAddresses} addresses.`);
}

/** RFC 7644, section 3.5.2: a value that is added as the primary one is the only one. */
function withOnePrimary(resource: Record<string, unknown>, { op, path, value }: Step): Record<string, unknown> {
  const isPrimary = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && 'primary' in item && /^true$/i.test(String(item.primary));
  if (op !== 'add' || path !== 'emails' || ![value].flat().some(isPrimary)) return resource;
  const emails = [resource['emails']].flat();
  const last = emails.findLastIndex(isPrimary);
  return {
    ...resource,
    emails: emails.map((item, at) => (at !== last && isPrimary(item) ? { ...(item as object), primary: false } : item)),
  };
}

/** By their ids, in one walk: the library compares each with each, and with the names that some providers send as well. */
function membersAfter(before: unknown, { op, value }: Step): unknown[] {
  if (op === 'remove' && value === undefined) return [];
  const [current, sent] = [[before ?? []].flat(), [value ?? []].flat()];
  if (op === 'replace') return sent;
  const without = new Set((op === 'add' ? current : sent).map(idOf));
  return op === 'add'
    ? [...current, ...sent.filter((member) => !without.has(idOf(member)))]
    : current.filter((member) => !without.has(idOf(member)));
}

const idOf = (member: unknown): unknown =>
  typeof member === 'object' && member !== null && 'value' in member ? member.value : member;

interface Step {
  op: string;
  path: string;
  value?: unknown;
  /** The place of its operation. */
  at: number;
}

/** Without a path the value names what it changes: then each attribute is a step, also with a path for a name. */
function stepsOf({ op: sent, path, value }: PatchOperation, at: number): Step[] {
  const op = sent.toLowerCase();
  if (!['add', 'replace', 'remove'].includes(op))
    throw refusal('invalidSyntax', at, 'op', 'Give add, replace or remove.');
  if (path !== undefined && path !== null && path !== '')
    return stepsAt(op, path, op === 'remove' && !isSet(value) ? undefined : value, at);
  if (op === 'remove') throw refusal('noTarget', at, 'path', 'Give the path of what to remove.');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal('invalidValue', at, 'value', 'Give an object: without a path, it names the attributes.');
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => stepsAt(op, name, part, at));
}

/** None for an attribute that Assentry does not read. */
function stepsAt(op: string, sent: string, value: unknown, at: number): Step[] {
  const path = readPath(sent, at);
  if (path === null) return [];
  if (op !== 'remove' && value === undefined)
    throw refusal('invalidValue', at, 'value', 'Give a value: this is missing.');
  const [, member] = op === 'remove' ? (memberPattern.exec(path) ?? []) : [];
  if (member !== undefined) return [{ op, path: 'members', value: { value: member }, at }];
  return [{ op, path, ...(value !== undefined && { value: withKnownParts(value) }), at }];
}

/** The usual way to take one person out of a group. */
const memberPattern = /^members\[value eq "([\w-]+)"\]$/i;

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** An attribute, which of its values, and a part of it. With brackets in its filter, the library reads on behind them. */
const pathPattern = /^(\w+)(\[[^[\]]+\])?(?:\.(\w+))?$/;
/** The library's tokenizer takes exponential time for line ends in a text that does not end. */
const isControl = /\p{Cc}/u;
const maxPathLength = 1000;

/** With the names that Assentry reads; null for a path to something else. */
function readPath(sent: string, at: number): string | null {
  if (sent.length > maxPathLength || isControl.test(sent))
    throw refusal('invalidPath', at, 'path', `Give the path of an attribute, in at most ${maxPathLength} characters.`);
  const path = knownPath(sent);
  if (path === null) return null;
  const [, name = '', filter, part] = pathPattern.exec(path) ?? [];
  if (name === '') throw refusal('invalidPath', at, 'path', wrongPath);
  const chosen = filter === undefined ? '' : `[${readFilter(name, filter.slice(1, -1), at)}]`;
  const readPart = part === undefined ? '' : knownPart(part);
  return readPart === undefined ? null : `${name}${chosen}${part === undefined ? '' : `.${readPart}`}`;
}

function readFilter(name: string, sent: string, at: number): string {
  try {
    return stringify(readTest(name, parse(sent)));
  } catch (error) {
    throw refusal('invalidPath', at, 'path', wrongPath, error);
  }
}

/** What the library is to compare: it finds nothing under another case, and then adds a second value where one was to change. */
function readTest(name: string, test: Filter): Filter {
  switch (test.op) {
    case 'and':
    case 'or':
      return { ...test, filters: test.filters.map((part) => readTest(name, part)) };
    case 'not':
      return { ...test, filter: readTest(name, test.filter) };
    case '[]':
      throw new Error('a filter in a filter');
    case 'pr':
      return { ...test, attrPath: readAttribute(test.attrPath) };
    default: {
      const attrPath = readAttribute(test.attrPath);
      return { ...test, attrPath, compValue: readCompared(name, attrPath, test.compValue) };
    }
  }
}

const readAttribute = (sent: string): string => knownPart(sent) ?? sent;

/** Some providers write the word for a flag. Ids of members differ by case. */
function readCompared(name: string, part: string, value: Compare['compValue']): Compare['compValue'] {
  if (typeof value !== 'string') return value;
  const small = value.toLowerCase();
  if (part === 'primary' && (small === 'true' || small === 'false')) return small === 'true';
  return name === 'emails' ? small : value;
}

const wrongPath = 'Give a path of RFC 7644, section 3.5.2, that leads to something.';

const refusal = (
  scimType: ScimProblem['scimType'],
  at: number,
  part: string,
  message: string,
  cause?: unknown,
): ScimProblem => new ScimProblem(scimType, { errors: [{ path: ['Operations', at, part], message }], cause });
