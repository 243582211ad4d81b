import { type Action, actions } from '../model/elicitation.ts';
import type { FieldError } from '../model/problem.ts';
import { faultOfField } from './field-value.ts';
import { isRecord, member, typeName } from './json.ts';
import { limits } from './limits.ts';
import type { FieldValue, FormContent, ResultFieldSchema, ResultSchema } from './schema.ts';

export type { FormContent } from './schema.ts';

export type AnswerResult = { ok: true; content?: FormContent } | { ok: false; errors: FieldError[] };

/**
 * Holds an answer against the form it answers. An accept needs content that satisfies every field, or none where the
 * form has no field, and is returned as a copy; content of a decline or cancel is dropped. Nothing is converted or filled in.
 * One error a field, with the field's path, at most 50.
 */
export function checkAnswer(schema: ResultSchema, answer: { action: Action; content?: unknown }): AnswerResult {
  if (answer.action === 'accept') return checkContent(schema, answer.content);
  // Parsed JSON may say anything, whatever the type promises; an unknown word is no answer.
  if (!actions.includes(answer.action)) return refused([{ path: ['action'], message: unknownAction }]);
  return { ok: true };
}

/** The values a form starts with: those of the fields that have a default. */
export function withDefaults(schema: ResultSchema): FormContent {
  const starting = Object.entries(schema.properties).flatMap(([name, field]): [string, FieldValue][] =>
    field.default === undefined ? [] : [[name, copyOf(field.default)]],
  );
  return Object.fromEntries(starting);
}

/** The content with every field that has no value set to its default; what was answered stays. */
export const applyDefaults = (schema: ResultSchema, content: FormContent): FormContent => ({
  ...withDefaults(schema),
  ...content,
});

const unknownAction = `Must be ${actions.join(', ')}.`;

const refused = (errors: FieldError[]): AnswerResult => ({ ok: false, errors: errors.slice(0, limits.errors) });

function checkContent(schema: ResultSchema, content: unknown): AnswerResult {
  if (content === undefined && asksNothing(schema)) return { ok: true, content: {} };
  if (content === undefined) return refused([{ path: [], message: 'An accepted form comes with its answers.' }]);
  if (!isRecord(content)) return refused([{ path: [], message: `Expected object, received ${typeName(content)}` }]);
  const errors = [...checkFields(schema, content), ...checkStrangers(schema, content)];
  return errors.length > 0 ? refused(errors) : { ok: true, content: copyAnswers(schema, content) };
}

const asksNothing = ({ properties }: ResultSchema): boolean => Object.keys(properties).length === 0;

const checkFields = (schema: ResultSchema, content: Record<string, unknown>): FieldError[] =>
  Object.entries(schema.properties).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true;
    const message = faultOfAnswer(field, isRequired, member(content, name));
    return message === undefined ? [] : [{ path: [name], message }];
  });

function faultOfAnswer(field: ResultFieldSchema, isRequired: boolean, value: unknown): string | undefined {
  if (value !== undefined) return faultOfField(field, value);
  return isRequired ? 'This field is required.' : undefined;
}

const checkStrangers = (schema: ResultSchema, content: Record<string, unknown>): FieldError[] =>
  Object.keys(content)
    .filter((name) => content[name] !== undefined && !Object.hasOwn(schema.properties, name))
    .map((name) => ({ path: [name], message: 'The form has no such field.' }));

/** Called only with content that has passed every rule, which is what the type says. */
function copyAnswers(schema: ResultSchema, content: Record<string, unknown>): FormContent {
  const names = Object.keys(schema.properties).filter((name) => member(content, name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, copyOf(content[name] as FieldValue)]));
}

const copyOf = (value: FieldValue): FieldValue => (Array.isArray(value) ? [...value] : value);
