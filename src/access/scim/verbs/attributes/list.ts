import { filter, parse, type Compare, type Filter } from 'scim2-parse-filter';
import { ScimProblem } from '../../contract/problem.ts';
import { withoutSchema, type Resource } from './attributes.ts';

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

/** Those of `all` that fit the filter, from `startIndex` on. Each is made only if the filter needs it or it is on the page. */
export function listOf<T>(
  all: readonly T[],
  { filter: text, startIndex = 1, count = maxResults }: ListRequest,
  show: (item: T) => Resource,
  /** What the usual searches compare, without making a resource. */
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
/** Of values with parts, what is compared if no part is named (RFC 7643, section 2.4). */
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
