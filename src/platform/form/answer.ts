import type { FieldFault, ValueType } from '../model/field-fault.ts';
import {
  countCharacters,
  hasUnkeepableCharacters,
  isMultiSelect,
  isNumeric,
  isSingleSelect,
  isStringList,
  isText,
  optionsOf,
  typeName,
  limits,
  type MultiSelectField,
  type NumberField,
  type ResultFieldSchema,
  type SingleSelectField,
  type StringField,
  type StringListField,
  isOfFormat,
  isRecord,
  member,
  type FieldValue,
  type FormContent,
  type ResultSchema,
} from './schema.ts';
import { type Action, actions } from '#requests/asking/contract/elicitation';
import type { FieldError } from '../model/problem.ts';
import { formatFault } from '#messages/english-faults';

/** The first fault of a value; nothing is converted. */
export function faultOfField(field: ResultFieldSchema, value: unknown): FieldFault | undefined {
  if (isStringList(field)) return faultOfTexts(field, value);
  if (isMultiSelect(field)) return faultOfChoices(field, value);
  if (isSingleSelect(field)) return faultOfChoice(field, value);
  if (isText(field)) return faultOfText(field, value);
  if (isNumeric(field)) return faultOfNumber(field, value);
  return typeof value === 'boolean' ? undefined : mismatch('boolean', value);
}

const mismatch = (expected: ValueType, value: unknown): FieldFault => ({
  code: 'type',
  expected,
  received: typeName(value),
});

function faultOfText(field: StringField, text: unknown): FieldFault | undefined {
  if (typeof text !== 'string') return mismatch('string', text);
  return unkeepable(text) ?? tooShort(field, text) ?? tooLong(field, text) ?? misformatted(field, text);
}

const unkeepable = (text: string): FieldFault | undefined =>
  hasUnkeepableCharacters(text) ? { code: 'unkeepable' } : undefined;

function tooShort({ minLength }: StringField, text: string): FieldFault | undefined {
  if (minLength === undefined || countCharacters(text) >= minLength) return undefined;
  return { code: 'too-short', bound: minLength };
}

function tooLong({ maxLength }: StringField, text: string): FieldFault | undefined {
  if (maxLength === undefined || countCharacters(text) <= maxLength) return undefined;
  return { code: 'too-long', bound: maxLength };
}

const misformatted = ({ format }: StringField, text: string): FieldFault | undefined =>
  format === undefined || isOfFormat(format, text) ? undefined : { code: 'format', format };

function faultOfNumber(field: NumberField, value: unknown): FieldFault | undefined {
  if (typeof value !== 'number') return mismatch('number', value);
  return infinite(value) ?? fractional(field, value) ?? tooSmall(field, value) ?? tooBig(field, value);
}

const infinite = (value: number): FieldFault | undefined =>
  Number.isFinite(value) ? undefined : { code: 'not-finite' };

// Beyond 2^53 two integers can look alike, so a typed number could be mistaken for its neighbour.
function fractional({ type }: NumberField, value: number): FieldFault | undefined {
  if (type !== 'integer' || Number.isSafeInteger(value)) return undefined;
  return { code: Number.isInteger(value) ? 'not-exact' : 'not-whole' };
}

const tooSmall = ({ minimum }: NumberField, value: number): FieldFault | undefined =>
  minimum === undefined || value >= minimum ? undefined : { code: 'too-small', bound: minimum };

const tooBig = ({ maximum }: NumberField, value: number): FieldFault | undefined =>
  maximum === undefined || value <= maximum ? undefined : { code: 'too-big', bound: maximum };

function faultOfChoice(field: SingleSelectField, value: unknown): FieldFault | undefined {
  if (typeof value !== 'string') return mismatch('string', value);
  return optionsOf(field).some((option) => option.value === value) ? undefined : { code: 'not-an-option' };
}

function faultOfChoices(field: MultiSelectField, values: unknown): FieldFault | undefined {
  if (!Array.isArray(values)) return mismatch('array', values);
  return unknownChoice(field, values) ?? repeatedChoice(values) ?? tooFew(field, values) ?? tooMany(field, values);
}

function unknownChoice(field: MultiSelectField, values: unknown[]): FieldFault | undefined {
  const options = new Set<unknown>(optionsOf(field).map((option) => option.value));
  // Not every(): a hole in the list would pass it.
  const stranger = values.findIndex((value) => !options.has(value));
  return stranger === -1 ? undefined : { code: 'not-options' };
}

const repeatedChoice = (values: unknown[]): FieldFault | undefined =>
  new Set(values).size === values.length ? undefined : { code: 'repeated' };

function faultOfTexts(field: StringListField, values: unknown): FieldFault | undefined {
  if (!Array.isArray(values)) return mismatch('array', values);
  if (values.length > limits.listItems) return { code: 'too-many-entries', bound: limits.listItems };
  return strangeEntry(values) ?? tooFewEntries(field, values) ?? tooManyEntries(field, values);
}

function strangeEntry(values: unknown[]): FieldFault | undefined {
  // Not find(): a hole in the list would look like nothing found.
  const at = values.findIndex((value) => typeof value !== 'string');
  if (at !== -1) return mismatch('strings', values[at]);
  return values.map((value) => unkeepable(String(value))).find((fault) => fault !== undefined);
}

function tooFewEntries({ minItems }: StringListField, values: unknown[]): FieldFault | undefined {
  if (minItems === undefined || values.length >= minItems) return undefined;
  return { code: 'too-few-entries', bound: minItems };
}

function tooManyEntries({ maxItems }: StringListField, values: unknown[]): FieldFault | undefined {
  if (maxItems === undefined || values.length <= maxItems) return undefined;
  return { code: 'too-many-entries', bound: maxItems };
}

function tooFew({ minItems }: MultiSelectField, values: unknown[]): FieldFault | undefined {
  if (minItems === undefined || values.length >= minItems) return undefined;
  return { code: 'too-few-options', bound: minItems };
}

function tooMany({ maxItems }: MultiSelectField, values: unknown[]): FieldFault | undefined {
  if (maxItems === undefined || values.length <= maxItems) return undefined;
  return { code: 'too-many-options', bound: maxItems };
}

export type { FormContent } from './schema.ts';

export type AnswerResult = { ok: true; content?: FormContent } | { ok: false; errors: FieldError[] };

/** A fault as data, with the path of its field. */
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

/** The content with defaults for fields without a value; answers stay. */
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

/** Copy of the answers; called only with content that has passed every rule. */
function copyAnswers(schema: ResultSchema, content: Record<string, unknown>): FormContent {
  const names = Object.keys(schema.properties).filter((name) => member(content, name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, copyOf(content[name] as FieldValue)]));
}

const copyOf = (value: FieldValue): FieldValue => (Array.isArray(value) ? [...value] : value);
