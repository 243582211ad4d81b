import { withDefaults, type AnswerFault } from '#platform/form/answer';
import {
  fieldKind,
  isNumeric,
  isStringList,
  isText,
  optionsOf,
  type FieldKind,
  type Option,
} from '#platform/form/schema';
import type { FieldValue, FormContent, ResultFieldSchema, ResultSchema } from '#platform/form/schema';
import { looksSecret } from '#platform/form/lint';
import type { FieldFault, FieldRule } from '#platform/model/field-fault';

type PageFieldKind = FieldKind | 'string-list';

/** One field as a page without scripts shows it; what was typed is always text. */
export interface PageField {
  name: string;
  kind: PageFieldKind;
  label: string;
  description: string | null;
  /** What is allowed. */
  rules: FieldRule[];
  isRequired: boolean;
  /** Hidden while typed, and never sent back. */
  isSecret: boolean;
  isLong: boolean;
  options: Option[];
  /** One text, or one for each choice made. */
  typed: string[];
  fault: FieldFault | null;
}

/** What a form posted, by field name. */
export type Posted = (field: string) => string[];

/** The fields as the form starts, with the schema's defaults. */
export const startFields = (schema: ResultSchema): PageField[] => {
  const defaults = withDefaults(schema);
  return fieldsOf(schema, (name, field) => typedFrom(field, defaults[name]), []);
};

/** The fields as they were sent, each with its fault. */
export const repeatFields = (schema: ResultSchema, posted: Posted, faults: readonly AnswerFault[]): PageField[] =>
  fieldsOf(schema, (name) => posted(name), faults);

/** The answer of a posted form: an empty field is no answer. */
export function readFields(schema: ResultSchema, posted: Posted): FormContent {
  const answered = Object.entries(schema.properties).flatMap(([name, field]): [string, FieldValue][] => {
    const value = readField(field, posted(name), schema.required?.includes(name) === true);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(answered);
}

const kindOf = (field: ResultFieldSchema): PageFieldKind => (isStringList(field) ? 'string-list' : fieldKind(field));

function fieldsOf(
  schema: ResultSchema,
  typed: (name: string, field: ResultFieldSchema) => string[],
  faults: readonly AnswerFault[],
): PageField[] {
  return Object.entries(schema.properties).map(([name, field]): PageField => {
    const kind = kindOf(field);
    const label = field.title ?? name;
    const isSecret = kind === 'text' && (looksSecret(name) || looksSecret(label));
    return {
      name,
      kind,
      label,
      description: field.description ?? null,
      rules: rulesOf(field),
      isSecret,
      isRequired: schema.required?.includes(name) === true,
      isLong: kind === 'text' && !isStringList(field) && isText(field) && longest(field) > maxLineLength,
      options: isStringList(field) ? [] : optionsOf(field),
      typed: typed(name, field),
      fault: faults.find(({ path }) => path[0] === name)?.fault ?? null,
    };
  });
}

/** Characters; if more are allowed, the field has several lines. */
const maxLineLength = 200;
const longest = (field: ResultFieldSchema): number => ('maxLength' in field ? (field.maxLength ?? 0) : 0);

function typedFrom(field: ResultFieldSchema, value: FieldValue | undefined): string[] {
  if (value === undefined) return [];
  const kind = kindOf(field);
  if (kind === 'string-list') return [(value as string[]).join('\n')];
  if (kind === 'date-time') return [new Date(String(value)).toISOString().slice(0, 19)];
  return Array.isArray(value) ? [...value] : [String(value)];
}

function readField(field: ResultFieldSchema, typed: string[], isRequired: boolean): FieldValue | undefined {
  const kind = kindOf(field);
  if (kind === 'multi-select') return typed.length > 0 || isRequired ? typed : undefined;
  const text = typed[0] ?? '';
  if (kind === 'string-list') return readLines(text, isRequired);
  if (text.trim() === '') return undefined;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number' || kind === 'integer') return readNumber(text.trim());
  if (kind === 'date-time') return readMoment(text.trim());
  // Browsers send line ends as CRLF, whatever was typed.
  return kind === 'text' ? text.replaceAll('\r\n', '\n') : text.trim();
}

function readLines(text: string, isRequired: boolean): string[] | undefined {
  const lines = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  return lines.length > 0 || isRequired ? lines : undefined;
}

/** A text that is not a plain number becomes NaN, which no field accepts. */
const readNumber = (text: string): number =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;

/** A browser's date and time control has no offset; the page says that it is UTC. */
function readMoment(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text)) return text;
  return `${text}${text.length === 16 ? ':00' : ''}Z`;
}

const rulesOf = (field: ResultFieldSchema): FieldRule[] =>
  [formatRule(field), lengthRule(field), rangeRule(field), countRule(field)].filter((rule) => rule !== null);

const formatRules: Partial<Record<PageFieldKind, FieldRule>> = {
  email: { code: 'email' },
  uri: { code: 'uri' },
  'date-time': { code: 'utc' },
  'string-list': { code: 'lines' },
};

const formatRule = (field: ResultFieldSchema): FieldRule | null => formatRules[kindOf(field)] ?? null;

// A least length or count of zero is no limit.
const lengthRule = (field: ResultFieldSchema): FieldRule | null =>
  'minLength' in field || 'maxLength' in field
    ? bounds('characters', field.minLength || undefined, field.maxLength)
    : null;

const rangeRule = (field: ResultFieldSchema): FieldRule | null =>
  isStringList(field) || !isNumeric(field) ? null : bounds('range', field.minimum, field.maximum);

const countRule = (field: ResultFieldSchema): FieldRule | null =>
  field.type === 'array'
    ? bounds(isStringList(field) ? 'entries' : 'options', field.minItems || undefined, field.maxItems)
    : null;

const bounds = (
  code: 'characters' | 'range' | 'options' | 'entries',
  least: number | undefined,
  most: number | undefined,
): FieldRule | null =>
  least === undefined && most === undefined ? null : { code, least: least ?? null, most: most ?? null };
