import { isRecord } from '../schema/json.ts';

type Json = Record<string, unknown>;

/** What is special about zod's JSON. */
interface ZodJson {
  /** Follows a reference. */
  resolve: (json: Json) => Json;
  /** Whether the pattern is the one zod writes next to the format of its own accord. */
  saysNothingNew: (pattern: unknown, format: unknown) => boolean;
}

/**
 * Rewrites one field of zod's JSON Schema in the words of the MCP subset. Only what means the same is rewritten;
 * everything else is left for the lint to refuse.
 */
export function formFieldFromJson(json: Json, { resolve, saysNothingNew }: ZodJson): Json {
  const { id: _, readOnly: __, ...field } = resolve(json);
  if (field['type'] === 'string') return asText(field, saysNothingNew);
  if (field['type'] === 'integer') return asInteger(field);
  if (field['type'] === 'array') return asMultiSelect(field, resolve);
  return asSingleSelect(field, resolve);
}

/** zod repeats each format as a pattern; the format alone says it. A literal is a choice of one. */
function asText(field: Json, saysNothingNew: ZodJson['saysNothingNew']): Json {
  const { const: value, pattern, ...rest } = field;
  if (value !== undefined) return { ...rest, enum: [value] };
  return pattern === undefined || saysNothingNew(pattern, field['format']) ? rest : { ...rest, pattern };
}

/** Integers past an exclusive bound start at the next one; the bounds zod adds to every integer say nothing new. */
function asInteger(field: Json): Json {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = field;
  const least = strictest(Math.max, minimum, nextAbove(exclusiveMinimum));
  const most = strictest(Math.min, maximum, nextBelow(exclusiveMaximum));
  return {
    ...rest,
    ...(least === undefined || least === Number.MIN_SAFE_INTEGER ? {} : { minimum: least }),
    ...(most === undefined || most === Number.MAX_SAFE_INTEGER ? {} : { maximum: most }),
  };
}

const nextAbove = (bound: unknown): number | undefined =>
  typeof bound === 'number' ? Math.floor(bound) + 1 : undefined;
const nextBelow = (bound: unknown): number | undefined =>
  typeof bound === 'number' ? Math.ceil(bound) - 1 : undefined;

function strictest(pick: (...bounds: number[]) => number, ...bounds: unknown[]): number | undefined {
  const numbers = bounds.filter((bound) => typeof bound === 'number');
  return numbers.length === 0 ? undefined : pick(...numbers);
}

/** A union of literals is a choice; with a title or description on any of them, a choice with titles. */
function asSingleSelect(field: Json, resolve: (json: Json) => Json): Json {
  const { anyOf, oneOf, ...rest } = field;
  const options = optionsIn(anyOf ?? oneOf, resolve);
  if (options === undefined) return field;
  return {
    ...rest,
    type: 'string',
    ...(isTitled(options) ? { oneOf: withTitles(options) } : { enum: valuesOf(options) }),
  };
}

function asMultiSelect(field: Json, resolve: (json: Json) => Json): Json {
  if (!isRecord(field['items'])) return field;
  const { id: _, readOnly: __, ...items } = resolve(field['items']);
  const options = optionsIn(items['anyOf'] ?? items['oneOf'] ?? [items], resolve);
  if (options === undefined) return { ...field, items };
  return {
    ...field,
    items: isTitled(options) ? { anyOf: withTitles(options) } : { type: 'string', enum: valuesOf(options) },
  };
}

interface LiteralOption {
  value: string;
  title: string | undefined;
}

/** All branches as options, or undefined when one of them is more than a literal. */
function optionsIn(branches: unknown, resolve: (json: Json) => Json): LiteralOption[] | undefined {
  if (!Array.isArray(branches)) return undefined;
  const options = branches.map((branch: unknown) => (isRecord(branch) ? literalsOf(resolve(branch)) : undefined));
  return options.every((options) => options !== undefined) ? options.flat() : undefined;
}

function literalsOf({ type, const: value, enum: values, title, description }: Json): LiteralOption[] | undefined {
  if (type !== 'string') return undefined;
  const label = [title, description].find((text) => typeof text === 'string');
  if (typeof value === 'string') return [{ value, title: label }];
  if (!Array.isArray(values) || !values.every((each) => typeof each === 'string')) return undefined;
  return values.map((each) => ({ value: each, title: undefined }));
}

const isTitled = (options: LiteralOption[]): boolean => options.some(({ title }) => title !== undefined);

const withTitles = (options: LiteralOption[]): { const: string; title: string }[] =>
  options.map(({ value, title = value }) => ({ const: value, title }));

const valuesOf = (options: LiteralOption[]): string[] => options.map(({ value }) => value);
