import { ScimError, scimPatch } from 'scim-patch';
import { Problem } from '../../../model/problem.ts';
import { ScimProblem, scimTypes } from '../../../model/scim-problem.ts';
import { withKnownNames } from './attributes.ts';

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
  return steps.reduce<Record<string, unknown>>((before, { at, ...step }) => {
    try {
      return scimPatch({ ...before } as never, [step as never], { mutateDocument: false, treatMissingAsAdd: true });
    } catch (error) {
      if (error instanceof Problem) throw error;
      const code = error instanceof ScimError ? error.scimCode : undefined;
      const scimType = scimTypes.find((type) => type === code) ?? 'invalidPath';
      throw refusal(scimType, at, 'path', 'Give a path of RFC 7644, section 3.5.2, that leads to something.', error);
    }
  }, withKnownNames(attributes));
}

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
    return [stepOf(op, path, op === 'remove' && !isSet(value) ? undefined : value, at)];
  if (op === 'remove') throw refusal('noTarget', at, 'path', 'Give the path of what to remove.');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal('invalidValue', at, 'value', 'Give an object: without a path, it names the attributes.');
  return Object.entries(value)
    .filter(([name]) => name !== 'schemas')
    .map(([name, part]: [string, unknown]) => stepOf(op, name, part, at));
}

function stepOf(op: string, sent: string, value: unknown, at: number): Step {
  const path = safePath(sent, at);
  const safe = safeValue(value, at);
  return { op, path, ...(value !== undefined && { value: path === 'members' ? idsOnly(safe) : safe }), at };
}

/** The library compares members as they are sent, and some providers send their names as well. */
function idsOnly(members: unknown): unknown {
  if (Array.isArray(members)) return members.map(idsOnly);
  return typeof members === 'object' && members !== null && 'value' in members ? { value: members.value } : members;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The library walks any path, so names that lead out of the resource, to what all objects share, are refused before. */
const leadsOut = /__proto__|constructor|prototype/i;
/** Its tokenizer takes exponential time for line ends in a text that does not end. */
const isControl = /\p{Cc}/u;
const longestPath = 1000;

function safePath(path: string, at: number): string {
  if (path.length > longestPath || leadsOut.test(path) || isControl.test(path))
    throw refusal('invalidPath', at, 'path', `Give the path of an attribute, in at most ${longestPath} characters.`);
  return Object.keys(withKnownNames({ [path]: null }))[0] ?? path;
}

function safeValue(value: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => safeValue(item, at));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [safePath(name, at), safeValue(part, at)]),
  );
}

const refusal = (
  scimType: ScimProblem['scimType'],
  at: number,
  part: string,
  message: string,
  cause?: unknown,
): ScimProblem => new ScimProblem(scimType, { errors: [{ path: ['Operations', at, part], message }], cause });
