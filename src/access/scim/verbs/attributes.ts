import { filter, parse, type Compare, type Filter } from 'scim2-parse-filter';
import { ScimProblem } from '../contract/problem.ts';
import { sha256Hex } from '#platform/crypto/digest';
import { Problem, type FieldError } from '#platform/model/problem';

/** Names with commas between them. */
export interface Choice {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

/** These are in every answer. */
const always = ['schemas', 'id', 'meta'];

/** The attributes that the caller asked for; one with parts is given whole. */
export function choose(resource: Resource, { attributes, excludedAttributes }: Choice): Record<string, unknown> {
  const [only, without] = [namesIn(attributes), namesIn(excludedAttributes)];
  return Object.fromEntries(
    Object.entries(resource).filter(([key]) => {
      const name = key.toLowerCase();
      return always.includes(name) || ((!only || only.includes(name)) && !without?.includes(name));
    }),
  );
}

/** Without the URN of a schema, and without what follows a dot. */
const namesIn = (names: string | undefined): string[] | undefined =>
  names
    ?.split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^urn:.*:/i, '')
        .replace(/\..*$/, '')
        .toLowerCase(),
    )
    .filter((name) => name !== '');

export interface ListRequest {
  filter?: string | undefined;
  startIndex?: number | undefined;
  count?: number | undefined;
}

/** A page of the resources that fit. */
export interface ListResponse {
  schemas: string[];
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: Resource[];
}

/** The most resources of a page, which is also what one gets without saying a number. */
export const maxResults = 200;
/** The most characters of a filter: what it costs grows with them. */
const maxFilterLength = 1000;

/**
 * Items of `all` that fit the filter, from `startIndex` on. Each resource is made only if the filter needs it or it is
 * on the page.
 */
export function listOf<T>(
  all: readonly T[],
  { filter: text, startIndex = 1, count = maxResults }: ListRequest,
  show: (item: T) => Resource,
  /** Values that the usual searches compare, without making a resource. */
  keys: (item: T) => Readonly<Record<string, string | null>>,
): ListResponse {
  const fitting = text === undefined ? all : all.filter(testOf(folded(readFilter(text)), show, keys));
  const first = Math.max(1, startIndex);
  const page = fitting.slice(first - 1, first - 1 + Math.min(maxResults, Math.max(0, count)));
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: fitting.length,
    startIndex: first,
    itemsPerPage: page.length,
    Resources: page.map(show),
  };
}

/** The tokenizer of the library takes exponential time for line ends in a text that does not end. */
function readFilter(text: string): Filter {
  if (text.length > maxFilterLength || /\p{Cc}/u.test(text)) throw wrongFilter();
  try {
    return parse(text);
  } catch (cause) {
    throw wrongFilter(cause);
  }
}

const wrongFilter = (cause?: unknown): ScimProblem => {
  const message = `Give a filter of RFC 7644, section 3.4.2.2, in at most ${maxFilterLength} characters.`;
  return new ScimProblem('invalidFilter', { errors: [{ path: ['filter'], message }], cause });
};

function testOf<T>(
  query: Filter,
  show: (item: T) => Resource,
  keys: (item: T) => Readonly<Record<string, string | null>>,
): (item: T) => boolean {
  if (query.op === 'eq' && typeof query.compValue === 'string') {
    const [name, sought] = [query.attrPath.toLowerCase(), query.compValue];
    if (usualNames.includes(name)) {
      return (item) =>
        Object.entries(keys(item)).some(
          ([key, value]) => value !== null && key.toLowerCase() === name && foldAt(name, value) === sought,
        );
    }
  }
  const fits = filter(query);
  return (item) => fits(foldAll(show(item)));
}

const usualNames = ['username', 'externalid', 'displayname'];

/** Only ids differ by case. */
const exact = ['id', 'externalid'];
const lastName = (path: string): string => path.toLowerCase().split(/[.:]/).at(-1) ?? '';
/** Attributes whose `value` is compared if no part is named (RFC 7643, section 2.4). */
const compared = /^(?:emails|members)$/i;
const foldAt = (name: string, text: string): string => (exact.includes(name) ? text : text.toLowerCase());

/** As resources are looked at: without the URN of their schema, and without the case that does not count. */
function folded(query: Filter): Filter {
  switch (query.op) {
    case 'and':
    case 'or':
      return { ...query, filters: query.filters.map(folded) };
    case 'not':
      return { ...query, filter: folded(query.filter) };
    case '[]':
      return { ...query, attrPath: withoutSchema(query.attrPath), valFilter: folded(query.valFilter) };
    case 'pr':
      return { ...query, attrPath: withoutSchema(query.attrPath) };
    default:
      return foldedTest(query);
  }
}

function foldedTest(query: Compare): Compare {
  const path = withoutSchema(query.attrPath);
  const attrPath = compared.test(path) ? `${path}.value` : path;
  const { compValue } = query;
  return {
    ...query,
    attrPath,
    compValue: typeof compValue === 'string' ? foldAt(lastName(attrPath), compValue) : compValue,
  };
}

function foldAll(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return foldAt(name, value);
  if (Array.isArray(value)) return value.map((item) => foldAll(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, foldAll(part, key.toLowerCase())]));
}

// SCIM's attributes are read one by one: a value of another shape is a problem with its path.

export type Attributes = Readonly<Record<string, unknown>>;

const knownNames = ['userName', 'externalId', 'displayName', 'name', 'emails', 'active', 'members', 'id'];
/** Parts of names, addresses and members. */
const knownParts = ['formatted', 'givenName', 'familyName', 'value', 'type', 'primary', 'display'];
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** SCIM's names do not differ by case. */
const among = (names: readonly string[], sent: string): string | undefined =>
  names.find((name) => name.toLowerCase() === sent.toLowerCase());

/** The name by which Assentry reads a part of an attribute. */
export const knownPart = (sent: string): string | undefined => among(knownParts, sent);

/** Without the URN of the schemas of people and groups, before which their attributes may stand. */
const withoutSchema = (path: string): string => path.replace(coreSchema, '');

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

/** Address of the resources, and the version of an answer. */
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
