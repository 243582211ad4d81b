import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument, visit, type Node, type Pair } from 'yaml';

/** Part of JSON Schema that describes possible content. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** One possible text at a place. */
export interface Choice {
  text: string;
  description: string;
  /** Kind of value behind a name. */
  opens: 'value' | 'mapping' | 'list' | null;
  isRequired: boolean;
}

/** The names a mapping at `path` can have, the required ones first. */
export function namesAt(root: Schema, path: PlacePath, present: string[] = []): Choice[] {
  const schemas = schemasAt(root, path);
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const choices = new Map<string, Choice>();
  for (const { properties = {} } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      if (present.includes(name) || choices.has(name)) continue;
      const options = expand(root, schema);
      const description = schema.description ?? firstDescription(options);
      choices.set(name, { text: name, description, opens: opensWhat(options), isRequired: required.has(name) });
    }
  }
  return [...choices.values()].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** Words that can be the value at `path`. */
export function valuesAt(root: Schema, path: PlacePath): Choice[] {
  const choices = new Map<string, Choice>();
  for (const schema of schemasAt(root, path)) {
    for (const value of wordsOf(schema)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      choices.set(text, { text, description: schema.description ?? '', opens: null, isRequired: false });
    }
  }
  return [...choices.values()];
}

function schemasAt(root: Schema, path: PlacePath): Schema[] {
  return path.reduce<Schema[]>(
    (schemas, step) => schemas.flatMap((schema) => stepInto(root, schema, step)),
    expand(root, root),
  );
}

function stepInto(root: Schema, schema: Schema, step: string | number): Schema[] {
  const next = typeof step === 'number' ? (schema.prefixItems?.[step] ?? schema.items) : namedPart(schema, step);
  return next === undefined ? [] : expand(root, next);
}

function namedPart({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Every schema the value may satisfy, with references followed; a reference to itself ends there. */
function expand(root: Schema, schema: Schema, visited: ReadonlySet<string> = new Set()): Schema[] {
  if (schema.$ref !== undefined) {
    const target = visited.has(schema.$ref) ? undefined : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return target === undefined ? [] : expand(root, target, new Set([...visited, schema.$ref]));
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((part) => expand(root, part, visited))];
}

function wordsOf({ enum: words, const: word, type }: Schema): unknown[] {
  if (words !== undefined) return words;
  if (word !== undefined) return [word];
  return type === 'boolean' ? [true, false] : [];
}

function opensWhat(options: Schema[]): Choice['opens'] {
  const isObject = options.some(({ type, properties }) => type === 'object' || properties !== undefined);
  const isScalar = options.some(
    (schema) => wordsOf(schema).length > 0 || ['string', 'number', 'integer'].includes(`${schema.type}`),
  );
  if (isObject && !isScalar && !options.some(({ type }) => type === 'array')) return 'mapping';
  if (options.some(({ type }) => type === 'array') && !isScalar && !isObject) return 'list';
  return 'value';
}

const firstDescription = (schemas: Schema[]): string =>
  schemas.find(({ description }) => description)?.description ?? '';

export type PlacePath = (string | number)[];

/** Place of the cursor in a YAML document, with its possible content. */
export interface YamlPlace {
  /** Path from the root to the collection or value being typed. */
  path: PlacePath;
  /** A name within the mapping at `path`, or a value for `path` itself. */
  wants: 'key' | 'value';
  /** Names already in the mapping. */
  present: string[];
  /** Can a mapping begin here, on a line of its own? */
  opensBlock: boolean;
}

/** Place of the text typed at `from`..`to`; null inside a comment or a longer text. */
export function placeAt(text: string, from: number, to: number): YamlPlace | null {
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  if (/(^|\s)#/.test(line)) return null;
  const opensBlock = /^[\s-]*$/.test(line);
  const typed = (as: string) => findCursor(text.slice(0, from) + as + text.slice(to), opensBlock);
  // Above other names of its mapping a bare text would swallow them; as a name it stands next to them.
  return typed(cursor) ?? (opensBlock ? typed(`${cursor}:`) : null);
}

function findCursor(text: string, opensBlock: boolean): YamlPlace | null {
  let place: YamlPlace | null = null;
  visit(parseDocument(text), {
    Scalar(key, node, ancestors) {
      if (node.value !== cursor) return undefined;
      place = describe(key, ancestors as (Node | Pair)[], opensBlock);
      return visit.BREAK;
    },
  });
  return place;
}

// Letters only, so that it parses as a plain text in any place for one.
const cursor = 'xCURSORx';

function describe(key: unknown, ancestors: (Node | Pair)[], opensBlock: boolean): YamlPlace {
  const parent = ancestors.at(-1);
  if (key === 'key' && isPair(parent)) {
    const map = ancestors.at(-2);
    return {
      path: pathOf(ancestors.slice(0, -1)),
      wants: 'key',
      present: isMap(map) ? namesIn(map.items) : [],
      opensBlock,
    };
  }
  const at = typeof key === 'number' ? [key] : [];
  return { path: [...pathOf(ancestors), ...at], wants: 'value', present: [], opensBlock };
}

function pathOf(ancestors: (Node | Pair)[]): PlacePath {
  return ancestors.flatMap((node, at): PlacePath => {
    const next = ancestors[at + 1];
    if (isPair(node)) return [nameOf(node.key)];
    if (isSeq(node) && next !== undefined) return [node.items.indexOf(next)];
    return [];
  });
}

const namesIn = (pairs: Pair[]): string[] => pairs.map(({ key }) => nameOf(key)).filter((name) => name !== cursor);

const nameOf = (key: unknown): string => (isScalar(key) ? `${key.value}` : isAlias(key) ? key.source : `${key}`);
