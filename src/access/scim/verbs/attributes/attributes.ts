import { sha256Hex } from '#platform/crypto/digest/digest';
import { Problem, type FieldError } from '#platform/model/problem/problem';
import { ScimProblem } from '../../contract/problem.ts';

// What SCIM sends as attributes, read one by one: a value of another shape is a problem with its path.

export type Attributes = Readonly<Record<string, unknown>>;

const knownNames = ['userName', 'externalId', 'displayName', 'name', 'emails', 'active', 'members', 'id'];
/** Of names, addresses and members. */
const knownParts = ['formatted', 'givenName', 'familyName', 'value', 'type', 'primary', 'display'];
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** SCIM's names do not differ by case. */
const among = (names: readonly string[], sent: string): string | undefined =>
  names.find((name) => name.toLowerCase() === sent.toLowerCase());

/** The name by which Assentry reads a part of an attribute. */
export const knownPart = (sent: string): string | undefined => among(knownParts, sent);

/** Without the URN of the schemas of people and groups, before which their attributes may stand. */
export const withoutSchema = (path: string): string => path.replace(coreSchema, '');

/** The path by the name by which Assentry reads the attribute; null if it reads none. */
export function knownPath(path: string): string | null {
  const core = withoutSchema(path);
  const [first = ''] = /^\w+/.exec(core) ?? [];
  const name = among(knownNames, first);
  return name === undefined ? null : `${name}${core.slice(first.length)}`;
}

/** The attributes that Assentry reads and their parts, under the names it reads them by. */
export const withKnownNames = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([sent, value]) => {
      const name = knownPath(sent);
      return name === null ? [] : [[name, withKnownParts(value)]];
    }),
  );

/** Objects with no other names than those of the parts that Assentry reads. */
export function withKnownParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKnownParts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
      const read = knownPart(name);
      return read === undefined ? [] : [[read, withKnownParts(part)]];
    }),
  );
}

/** A text without control characters, or null for none. */
export function textAt(value: unknown, path: FieldError['path'], most = 200): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw wrongValue(path, 'Give a text.');
  const text = value.trim();
  if (text === '') return null;
  if (text.length > most || /[\p{Cc}\p{Cs}]/u.test(text))
    throw wrongValue(path, `Give a text of at most ${most} characters, without control characters.`);
  return text;
}

/** Also as a text: some providers write the word. */
export function flagAt(value: unknown, path: FieldError['path']): boolean | null {
  if (value === undefined || value === null) return null;
  const word = typeof value === 'string' ? value.toLowerCase() : String(value);
  if (word === 'true' || word === 'false') return word === 'true';
  throw wrongValue(path, 'Give true or false.');
}

/** The objects of a list, or of one object; none if nothing is sent. */
export function objectsAt(value: unknown, path: FieldError['path']): Record<string, unknown>[] {
  if (value === undefined || value === null) return [];
  return [value].flat().map((item: unknown, at) => {
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) return item as Record<string, unknown>;
    throw wrongValue([...path, at], 'Give an object.');
  });
}

export const wrongValue = (path: FieldError['path'], message: string): ScimProblem =>
  new ScimProblem('invalidValue', { errors: [{ path, message }] });

/** Where the resources are, and the version that an answer has. */
interface Meta {
  resourceType: 'User' | 'Group';
  created?: string;
  location: string;
  version: string;
}

export interface Resource extends Record<string, unknown> {
  schemas: string[];
  id: string;
  meta: Meta;
}

/** With a version that changes whenever the resource does. */
export function resourceOf(
  attributes: Record<string, unknown> & { schemas: string[]; id: string },
  meta: Omit<Meta, 'version'>,
): Resource {
  const version = `W/"${sha256Hex(JSON.stringify(attributes)).slice(0, 32)}"`;
  return { ...attributes, meta: { ...meta, version } };
}

/** Problem 412 if the caller has read another version; `*` is any. */
export function assertSameVersion(ifMatch: string | undefined, current: Resource): void {
  const versions = ifMatch?.split(',').map((version) => version.trim());
  if (!versions || versions.includes('*') || versions.includes(current.meta.version)) return;
  throw new Problem('digest-mismatch', { detail: 'Read the resource again: it has changed since.' });
}

/** A change of what only Assentry names. */
export function assertSameId(id: string, { id: sent }: Attributes): void {
  if (sent === undefined || sent === null || sent === id) return;
  throw new ScimProblem('mutability', { errors: [{ path: ['id'], message: 'Leave out the id: it never changes.' }] });
}
