import { z } from 'zod';
import { type FieldError, Problem } from '../../model/problem/problem.ts';
import { isRecord, typeName } from '../schema/json.ts';
import { type LintResult, lintFormSchema, lintResultSchema } from '../lint/lint.ts';
import type { ResultSchema } from '../schema/schema.ts';
import { formFieldFromJson } from './zod-field.ts';

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

/** As above, for the result of URL mode, which may be lists of texts, too. */
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

/** The JSON Schema of what a person enters, or the reason there is none. */
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

/** zod moves every schema that has an id into definitions; a form has its fields in place. */
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

/** Messages for the person in front of the form, if the schema has none of its own. */
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
