import { isRecord, typeName, type ResultSchema } from './schema.ts';
import { z } from 'zod';
import { type FieldError, Problem } from '../model/problem.ts';
import { type LintResult, lintFormSchema, lintResultSchema } from './lint.ts';

type Json = Record<string, unknown>;

/** Particulars of zod's JSON. */
interface ZodJson {
  /** Follows a reference. */
  resolve: (json: Json) => Json;
  /** Is this the pattern that zod itself writes next to the format? */
  saysNothingNew: (pattern: unknown, format: unknown) => boolean;
}

/**
 * Rewrites one field of zod's JSON Schema in the words of the MCP subset. Only what means the same is rewritten;
 * everything else is left for the lint to refuse.
 */
function formFieldFromJson(json: Json, { resolve, saysNothingNew }: ZodJson): Json {
  const { id: _, readOnly: __, ...field } = resolve(json);
  if (field['type'] === 'string') return asText(field, saysNothingNew);
  if (field['type'] === 'integer') return asInteger(field);
  if (field['type'] === 'array') return asMultiSelect(field, resolve);
  return asSingleSelect(field, resolve);
}

/** Text in MCP's words. zod repeats each format as a pattern; the format alone is enough. A literal is a choice of one. */
function asText(field: Json, saysNothingNew: ZodJson['saysNothingNew']): Json {
  const { const: value, pattern, ...rest } = field;
  if (value !== undefined) return { ...rest, enum: [value] };
  return pattern === undefined || saysNothingNew(pattern, field['format']) ? rest : { ...rest, pattern };
}

/** Integer in MCP's words. An exclusive bound becomes the next integer; the bounds zod adds to every integer are dropped. */
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

/** Choice from a union of literals; with a title or description on any of them, a choice with titles. */
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

/**
 * The zod types a form may be made of, by what a person can enter.
 * A type error catches most others before they run.
 */
export type FormShape = Readonly<Record<string, z.ZodType<unknown, string | number | boolean | string[] | undefined>>>;

type ParseResult<T> = { ok: true; data: T } | { ok: false; errors: FieldError[] };

/**
 * Writes a zod object as an MCP form. Parts that a form cannot express are refused, with the path of the field and the
 * reason; refinements and transforms are left to `parseWithZod`.
 */
export const formSchemaFromZod = (schema: z.ZodObject): LintResult => fromZod(schema, lintFormSchema);

/** As `formSchemaFromZod`, for the result of URL mode, which may also have lists of texts. */
export const resultSchemaFromZod = (schema: z.ZodObject): LintResult<ResultSchema> => fromZod(schema, lintResultSchema);

function fromZod<S>(schema: z.ZodObject, lint: (input: unknown) => LintResult<S>): LintResult<S> {
  const json = toJson(schema);
  if (typeof json === 'string') return { ok: false, errors: [{ path: [], message: json }] };
  return lint(asForm(json));
}

/**
 * Reads the content of an accepted form with the schema it was made from, refinements and transforms included.
 * Throws INVALID_INPUT when the schema itself is asynchronous.
 */
export function parseWithZod<S extends z.ZodObject>(schema: S, content: unknown): ParseResult<z.output<S>> {
  const result = parseAtOnce(schema, content);
  return result.success
    ? { ok: true, data: result.data }
    : { ok: false, errors: result.error.issues.flatMap(toErrors) };
}

/** The JSON Schema of a person's input, or the reason there is none. */
function toJson(schema: z.ZodObject): Record<string, unknown> | string {
  try {
    return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
  } catch (error) {
    return `Change the schema: it cannot be written as JSON Schema. ${error instanceof Error ? error.message : String(error)}`;
  }
}

function asForm(json: Record<string, unknown>): unknown {
  const definitions = isRecord(json['$defs']) ? json['$defs'] : {};
  const { $defs: _, id: __, ...root } = resolve(json, definitions);
  const properties = isRecord(root['properties']) ? root['properties'] : {};
  const zodJson = { resolve: (part: Record<string, unknown>) => resolve(part, definitions), saysNothingNew };
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    isRecord(field) ? formFieldFromJson(field, zodJson) : field,
  ]);
  return { ...root, properties: Object.fromEntries(fields) };
}

const referencePrefix = '#/$defs/';

/** Resolves references: zod moves every schema with an id into definitions; a form has its fields in place. */
function resolve(json: Record<string, unknown>, definitions: Record<string, unknown>): Record<string, unknown> {
  const { $ref: reference, ...rest } = json;
  if (typeof reference !== 'string' || !reference.startsWith(referencePrefix)) return json;
  const target = definitions[reference.slice(referencePrefix.length)];
  return isRecord(target) ? { ...target, ...rest } : json;
}

const { email, html5Email, rfc5322Email, unicodeEmail } = z.regexes;
const emailPatterns = new Set<unknown>([email, html5Email, rfc5322Email, unicodeEmail].map(({ source }) => source));
const timeFormats = new Set<unknown>(['date', 'date-time']);

// With a pattern, people would break a rule that no client shows.
const saysNothingNew = (pattern: unknown, format: unknown): boolean =>
  format === 'email' ? emailPatterns.has(pattern) : timeFormats.has(format);

function parseAtOnce<S extends z.ZodObject>(schema: S, content: unknown): z.ZodSafeParseResult<z.output<S>> {
  try {
    return schema.safeParse(content, { error: sentenceOf });
  } catch (cause) {
    if (!(cause instanceof z.core.$ZodAsyncError)) throw cause;
    throw new Problem('INVALID_INPUT', {
      detail: 'Remove asynchronous refinements: forms are checked synchronously.',
      cause,
    });
  }
}

/** Message for the person in front of the form, if the schema has none of its own. */
function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'This field is required.';
  if (typeof issue.input === 'number') return issue.expected === 'int' ? 'Must be a whole number.' : undefined;
  return `Expected ${issue.expected}, received ${typeName(issue.input)}`;
}

function toErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((name) => ({ path: [...path, name], message: 'The form has no such field.' }));
}
