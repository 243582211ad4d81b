import { type Action, actions } from '#requests/asking/contract/elicitation';
import type { FieldFault } from '../../model/field-fault.ts';
import type { FieldError } from '../../model/problem/problem.ts';
import { formatFault } from '#messages/english-faults';
import { faultOfField } from './field-value.ts';
import { isRecord, member, typeName } from '../schema/json.ts';
import { limits } from '../schema/limits.ts';
import type { FieldValue, FormContent, ResultFieldSchema, ResultSchema } from '../schema/schema.ts';

export type { FormContent } from '../schema/schema.ts';

export type AnswerResult = { ok: true; content?: FormContent } | { ok: false; errors: FieldError[] };

/** What is wrong, as data, with the path of its field. */
export interface AnswerFault {
  path: string[];
  fault: FieldFault;
}

/**
 * Validates an answer by its form. An accept needs content that satisfies every field, or no content if the form has no
 * fields, and is returned as a copy; content of a decline or cancel is dropped. Nothing is converted or filled in.
 * One error a field, with the field's path, at most 50.
 */
export function checkAnswer(schema: ResultSchema, answer: { action: Action; content?: unknown }): AnswerResult {
  if (answer.action !== 'accept') return checkDismissal(answer.action);
  const faults = faultsOfContent(schema, answer.content);
  if (faults.length > 0) return { ok: false, errors: faults.map(formatAnswerFault) };
  return { ok: true, content: copyAnswers(schema, (answer.content ?? {}) as Record<string, unknown>) };
}

/** Every fault in the content of an accept, for a display that words them in its reader's language. */
export const faultsOfContent = (schema: ResultSchema, content: unknown): AnswerFault[] =>
  findFaults(schema, content).slice(0, limits.errors);

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

// Parsed JSON may hold anything; an unknown action is not an answer.
const checkDismissal = (action: Action): AnswerResult =>
  actions.includes(action)
    ? { ok: true }
    : { ok: false, errors: [{ path: ['action'], message: `Must be ${actions.join(', ')}.` }] };

const formatAnswerFault = ({ path, fault }: AnswerFault): FieldError => ({ path, message: formatFault(fault) });

function findFaults(schema: ResultSchema, content: unknown): AnswerFault[] {
  if (content === undefined) return asksNothing(schema) ? [] : [{ path: [], fault: { code: 'no-content' } }];
  if (isRecord(content)) return [...checkFields(schema, content), ...checkStrangers(schema, content)];
  return [{ path: [], fault: { code: 'type', expected: 'object', received: typeName(content) } }];
}

const asksNothing = ({ properties }: ResultSchema): boolean => Object.keys(properties).length === 0;

const checkFields = (schema: ResultSchema, content: Record<string, unknown>): AnswerFault[] =>
  Object.entries(schema.properties).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true;
    const fault = faultOfAnswer(field, isRequired, member(content, name));
    return fault === undefined ? [] : [{ path: [name], fault }];
  });

function faultOfAnswer(field: ResultFieldSchema, isRequired: boolean, value: unknown): FieldFault | undefined {
  if (value !== undefined) return faultOfField(field, value);
  return isRequired ? { code: 'required' } : undefined;
}

const checkStrangers = (schema: ResultSchema, content: Record<string, unknown>): AnswerFault[] =>
  Object.keys(content)
    .filter((name) => content[name] !== undefined && !Object.hasOwn(schema.properties, name))
    .map((name) => ({ path: [name], fault: { code: 'no-such-field' } }));

/** Called only with content that has passed every rule. */
function copyAnswers(schema: ResultSchema, content: Record<string, unknown>): FormContent {
  const names = Object.keys(schema.properties).filter((name) => member(content, name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, copyOf(content[name] as FieldValue)]));
}

const copyOf = (value: FieldValue): FieldValue => (Array.isArray(value) ? [...value] : value);
