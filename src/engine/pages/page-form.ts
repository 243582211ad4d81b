import { withDefaults } from '../../form/answer.ts';
import { countOf } from '../../form/characters.ts';
import {
  fieldKind,
  isNumeric,
  isStringList,
  isText,
  optionsOf,
  type FieldKind,
  type Option,
} from '../../form/field-kind.ts';
import type { FieldValue, FormContent, ResultFieldSchema, ResultSchema, StringListField } from '../../form/schema.ts';
import { looksSecret } from '../../form/secret-names.ts';
import type { FieldError } from '../../model/problem.ts';

type PageFieldKind = FieldKind | 'string-list';

/** One field as a page without scripts shows it: what was typed is text, always. */
export interface PageField {
  name: string;
  kind: PageFieldKind;
  label: string;
  description: string | null;
  /** What is allowed, in words. */
  rule: string | null;
  isRequired: boolean;
  /** Hidden while typed, and never sent back. */
  isSecret: boolean;
  isLong: boolean;
  options: Option[];
  /** One text, or one for each choice made. */
  typed: string[];
  error: string | null;
}

/** What a form posted, by field name. */
export type Posted = (field: string) => string[];

/** The fields as the form starts, with the schema's defaults. */
export const startFields = (schema: ResultSchema): PageField[] => {
  const defaults = withDefaults(schema);
  return fieldsOf(schema, (name, field) => typedFrom(field, defaults[name]), []);
};

/** The fields as they were sent, with what is wrong at each; `errors` name them by their path. */
export const repeatFields = (schema: ResultSchema, posted: Posted, errors: readonly FieldError[]): PageField[] =>
  fieldsOf(schema, (name) => posted(name), errors);

/** The answer a posted form means: an empty field is no answer, and nothing else is guessed. */
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
  errors: readonly FieldError[],
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
      rule: ruleOf(field),
      isSecret,
      isRequired: schema.required?.includes(name) === true,
      isLong: kind === 'text' && !isStringList(field) && isText(field) && longest(field) > longestLine,
      options: isStringList(field) ? [] : optionsOf(field),
      typed: typed(name, field),
      error: errors.find(({ path }) => path[0] === name)?.message ?? null,
    };
  });
}

/** Characters; where more are allowed, several lines are likely. */
const longestLine = 200;
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

/** What is no plain number becomes one that no field takes. */
const readNumber = (text: string): number =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;

/** A browser's own date and time control knows no offset; the page says that it means UTC. */
function readMoment(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text)) return text;
  return `${text}${text.length === 16 ? ':00' : ''}Z`;
}

function ruleOf(field: ResultFieldSchema): string | null {
  const rules = [formatRule(field), lengthRule(field), boundsRule(field), countRule(field)];
  const said = rules.filter((rule) => rule !== null);
  return said.length > 0 ? said.join(' ') : null;
}

function formatRule(field: ResultFieldSchema): string | null {
  const kind = kindOf(field);
  const words: Partial<Record<PageFieldKind, string>> = {
    email: 'An email address, such as name@example.com.',
    uri: 'A full address, such as https://example.com.',
    'date-time': 'The time is UTC.',
    'string-list': 'One on each line.',
  };
  return words[kind] ?? null;
}

function lengthRule(field: ResultFieldSchema): string | null {
  if (!('minLength' in field || 'maxLength' in field)) return null;
  const { minLength, maxLength } = field;
  if (minLength && maxLength !== undefined) return `${minLength} to ${countOf(maxLength, 'character')}.`;
  if (maxLength !== undefined) return `At most ${countOf(maxLength, 'character')}.`;
  return minLength ? `At least ${countOf(minLength, 'character')}.` : null;
}

function boundsRule(field: ResultFieldSchema): string | null {
  if (isStringList(field) || !isNumeric(field)) return null;
  const { minimum, maximum } = field;
  if (minimum !== undefined && maximum !== undefined) return `From ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `${minimum} or more.`;
  return maximum === undefined ? null : `${maximum} or less.`;
}

function countRule(field: ResultFieldSchema): string | null {
  if (field.type !== 'array') return null;
  const { minItems, maxItems } = field;
  if (isStringList(field)) return entriesRule(field);
  if (minItems && maxItems !== undefined) return `Choose ${minItems} to ${maxItems}.`;
  if (maxItems !== undefined) return `Choose at most ${maxItems}.`;
  return minItems ? `Choose at least ${minItems}.` : null;
}

function entriesRule({ minItems, maxItems }: StringListField): string | null {
  if (minItems && maxItems !== undefined) return `${minItems} to ${countOf(maxItems, 'entry', 'entries')}.`;
  if (maxItems !== undefined) return `At most ${countOf(maxItems, 'entry', 'entries')}.`;
  return minItems ? `At least ${countOf(minItems, 'entry', 'entries')}.` : null;
}
