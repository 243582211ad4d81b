import type { FieldError } from '../../model/problem/problem.ts';
import { forbiddenSentence } from '../schema/forbidden-keywords.ts';
import { isRecord, member, toJsonText } from '../schema/json.ts';
import { limits } from '../schema/limits.ts';
import { lintField, lintResultField } from './lint-field.ts';
import { lintLabels } from './lint-labels.ts';
import type { FormSchema, ResultSchema } from '../schema/schema.ts';

export type LintResult<S = FormSchema> = { ok: true; schema: S } | { ok: false; errors: FieldError[] };

/**
 * Checks a schema against the MCP form subset: a valid one can be shown by every client and answered by a person.
 * Never throws. The returned schema is a copy without `$schema` and `additionalProperties`;
 * paths of errors lead from the schema's root, and at most 50 are reported.
 */
export const lintFormSchema = (input: unknown): LintResult => lintSchema<FormSchema>(input, lintField);

/**
 * Checks a schema for a result of URL mode: the form subset, lists of any texts, and secrets, since neither the schema
 * nor the result passes through an MCP client. Otherwise like `lintFormSchema`.
 */
export const lintResultSchema = (input: unknown): LintResult<ResultSchema> =>
  lintSchema<ResultSchema>(input, lintResultField);

type FieldLint = (name: string, field: unknown) => FieldError[];

function lintSchema<S extends ResultSchema>(input: unknown, lintOne: FieldLint): LintResult<S> {
  const text = toJsonText(input);
  if (text === undefined) return refused([{ path: [], message: notJson }]);
  if (byteLength(text) > limits.schemaBytes) return refused([{ path: [], message: tooLarge }]);
  // From here on only plain JSON: hostile input was read once and can no longer change.
  const schema: unknown = JSON.parse(text);
  if (!isRecord(schema)) return refused([{ path: [], message: notObject }]);
  const errors = lintRoot(schema, lintOne);
  return errors.length > 0 ? refused(errors) : { ok: true, schema: withoutFrame(schema) as unknown as S };
}

const notJson = 'Change the schema: it is nested too deeply or holds something that JSON cannot express.';
const tooLarge = `Shorten the schema to at most ${limits.schemaBytes} bytes of JSON.`;
const notObject = 'Give the schema as { "type": "object", "properties": { … } }.';

const refused = (errors: FieldError[]): LintResult<never> => ({ ok: false, errors: errors.slice(0, limits.errors) });

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const lintRoot = (schema: Record<string, unknown>, lintOne: FieldLint): FieldError[] => [
  ...lintRootType(schema),
  ...lintRootKeywords(schema),
  ...lintLabels([], schema),
  ...lintProperties(schema, lintOne),
  ...lintRequired(schema),
];

const lintRootType = (schema: Record<string, unknown>): FieldError[] =>
  schema['type'] === 'object' ? [] : [{ path: ['type'], message: 'Give "type" as "object": a form is an object.' }];

const rootKeywords = new Set(['type', 'title', 'description', 'properties', 'required']);

const lintRootKeywords = (schema: Record<string, unknown>): FieldError[] =>
  Object.keys(schema)
    .filter((keyword) => !rootKeywords.has(keyword) && !isHarmlessFrame(keyword, schema[keyword]))
    .map((keyword) => ({ path: [keyword], message: forbiddenSentence(keyword) }));

/** Generators write both; neither matters, because unknown fields are refused in every answer. */
const isHarmlessFrame = (keyword: string, value: unknown): boolean =>
  keyword === '$schema' ? typeof value === 'string' : keyword === 'additionalProperties' && value === false;

function lintProperties(schema: Record<string, unknown>, lintOne: FieldLint): FieldError[] {
  const properties = member(schema, 'properties');
  const path = ['properties'];
  if (!isRecord(properties)) return [{ path, message: 'Give "properties" as an object with one key for each field.' }];
  const fields = Object.entries(properties);
  const surplus = { path, message: `Give "properties" at most ${limits.properties} fields: it has ${fields.length}.` };
  const errors = fields.flatMap(([name, field]) => lintOne(name, field));
  return fields.length > limits.properties ? [surplus, ...errors] : errors;
}

function lintRequired(schema: Record<string, unknown>): FieldError[] {
  const required = member(schema, 'required');
  if (required === undefined) return [];
  if (!Array.isArray(required)) return [{ path: ['required'], message: 'Give "required" as a list of field names.' }];
  if (required.length > limits.properties) return [{ path: ['required'], message: tooManyRequired }];
  const properties = member(schema, 'properties');
  const names = new Set<unknown>(isRecord(properties) ? Object.keys(properties) : []);
  return required.flatMap((name: unknown, index) => {
    const message = faultOfRequired(name, names, required.indexOf(name) < index);
    return message === undefined ? [] : [{ path: ['required', index], message }];
  });
}

const tooManyRequired = `Give "required" at most ${limits.properties} names: a form cannot have more fields.`;

function faultOfRequired(name: unknown, names: Set<unknown>, isRepeated: boolean): string | undefined {
  if (typeof name !== 'string') return 'Give the name of a field as a string.';
  if (!names.has(name)) return 'Remove this name, or add its field to "properties".';
  return isRepeated ? 'Remove this name: it is already in the list.' : undefined;
}

/** Called only with a schema that has passed every rule. */
function withoutFrame(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _, additionalProperties: __, ...form } = schema;
  return form;
}
