import { hasHiddenCharacters } from '../text/hidden-characters.ts';
import { valueTypes, type ValueType } from '../model/field-fault.ts';

/** Whether the text is of the format; the same rules for people's answers and for schemas' defaults. */
export const isOfFormat = (format: StringFormat, text: string): boolean => checks[format](text);

/** The fewest and most characters a text of the format can have, to find lengths no one can satisfy. */
export const formatLengths: Record<StringFormat, { shortest: number; longest: number }> = {
  email: { shortest: 5, longest: 254 },
  uri: { shortest: 2, longest: Number.POSITIVE_INFINITY },
  date: { shortest: 10, longest: 10 },
  'date-time': { shortest: 20, longest: Number.POSITIVE_INFINITY },
};

const checks: Record<StringFormat, (text: string) => boolean> = {
  email: isEmail,
  uri: isUri,
  date: isDate,
  'date-time': isDateTime,
};

// Plain addresses only: no quoting, no comments, no bare hosts. Whether it exists only a mail can tell.
const localPart = /^[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*$/u;
const hostLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > formatLengths.email.longest) return false;
  const labels = text.slice(at + 1).split('.');
  return localPart.test(text.slice(0, at)) && labels.length > 1 && labels.every(isHostLabel);
}

const isHostLabel = (label: string): boolean => label.length <= 63 && hostLabel.test(label);

// The URL parser drops or escapes white space and controls: what is kept must be what was typed.
function isUri(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && URL.canParse(text);
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;

function isDate(text: string): boolean {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  return day !== undefined && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

// RFC 3339. No leap seconds: neither JavaScript's Date nor PostgreSQL can keep one.
const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^T$/i.test(text.charAt(10)) && timePattern.test(text.slice(11));
}

/** How large a form may be. Lengths are in characters (code points) unless the name says otherwise. */
export const limits = {
  properties: 50,
  options: 500,
  nameLength: 64,
  titleLength: 200,
  descriptionLength: 2_000,
  optionLength: 500,
  /** Limit of entries in a list of texts of a result. */
  listItems: 500,
  defaultLength: 10_000,
  /** Limit of the whole schema as JSON in UTF-8. */
  schemaBytes: 65_536,
  /** Limit of errors in one report: a hostile input must not make it large. */
  errors: 50,
} as const;

/** Advice about a keyword that MCP forms do not have in this place, with the reason. */
export const forbiddenSentence = (keyword: string): string => (advice.get(keyword) ?? removeUnknown)(keyword);

/** Advice about one keyword, with the reason. */
export type Advice = (keyword: string) => string;

export const remove =
  (reason: string): Advice =>
  (keyword) =>
    `Remove ${quoted(keyword)}: ${reason}.`;

const replace =
  (replacement: string, reason: string): Advice =>
  (keyword) =>
    `Replace ${quoted(keyword)} with ${replacement}: ${reason}.`;

export const move =
  (place: string, reason: string): Advice =>
  (keyword) =>
    `Move ${quoted(keyword)} ${place}: ${reason}.`;

/** Quotes a keyword from outside; a long one is cut to keep the message readable. */
const quoted = (keyword: string): string =>
  JSON.stringify(keyword.length > limits.nameLength ? `${keyword.slice(0, limits.nameLength)}…` : keyword);

const removeUnknown = remove('MCP forms do not have this keyword here');
const fixedObject = remove('"properties" lists all fields of a form');
const noCombining = remove('a form cannot combine schemas');
const noConditions = remove('fields cannot depend on each other. You can ask in a second form');
const noReferences = remove('references are not followed. Write the field out');
const noTuples = replace('"items"', 'lists can only hold choices');
const notShown = remove('clients do not show or check it');
const noExclusive = (inclusive: string): Advice =>
  replace(`${inclusive} and the last allowed value`, 'clients drop exclusive bounds');

const advice = new Map<string, Advice>([
  [
    'pattern',
    replace(
      '"format", "minLength" or "maxLength"',
      'clients drop patterns, so people would break a rule they cannot see',
    ),
  ],
  ['exclusiveMinimum', noExclusive('"minimum"')],
  ['exclusiveMaximum', noExclusive('"maximum"')],
  ['multipleOf', replace('"type": "integer", or with the step in "description"', 'clients drop it')],
  ['const', replace('"enum" with one option', 'a form has no fixed values')],
  ['$ref', noReferences],
  ['$dynamicRef', noReferences],
  ['$defs', noReferences],
  ['definitions', noReferences],
  ['$schema', remove('only the root of a form has it, as a string')],
  ['properties', move('to the root of the form', 'forms are flat')],
  ['required', move('to the root of the form', 'it is a list of field names')],
  ['additionalProperties', fixedObject],
  ['patternProperties', fixedObject],
  ['unevaluatedProperties', fixedObject],
  ['propertyNames', fixedObject],
  ['minProperties', fixedObject],
  ['maxProperties', fixedObject],
  ['allOf', noCombining],
  ['anyOf', noCombining],
  ['oneOf', noCombining],
  ['not', noCombining],
  ['if', noConditions],
  ['then', noConditions],
  ['else', noConditions],
  ['dependencies', noConditions],
  ['dependentRequired', noConditions],
  ['dependentSchemas', noConditions],
  ['prefixItems', noTuples],
  ['additionalItems', noTuples],
  ['unevaluatedItems', noTuples],
  ['contains', noTuples],
  ['uniqueItems', remove('each option can only be chosen once anyway')],
  ['nullable', remove('a field may stay empty if "required" does not name it')],
  ['contentEncoding', notShown],
  ['contentMediaType', notShown],
  ['readOnly', notShown],
  ['writeOnly', remove('clients drop it. Ask for secrets in URL mode')],
  ['deprecated', notShown],
  ['examples', move('into "description"', 'clients do not show examples')],
  ['$comment', notShown],
]);

/** Lengths are code points, as JSON Schema counts them: an emoji is one character, not two. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const lineBreaksAndTabs = /[\t\n\r]/g;
// A lone surrogate has no UTF-8 form, so two different answers would seal and digest alike.
const unkeepable = /[\0\p{Cs}]/u;

/** Finds hidden characters in text read as paragraphs: line breaks and tabs are fine. */
export const hasHiddenCharactersExceptBreaks = (text: string): boolean =>
  hasHiddenCharacters(text.replaceAll(lineBreaksAndTabs, ' '));

export const hasUnkeepableCharacters = (text: string): boolean => unkeepable.test(text);

export const isBlank = (text: string): boolean => text.trim() === '';

/** Is it a plain record? Inspects values of unknown origin without calling or entering them. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON's word for the kind of value, for messages. */
export function typeName(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return valueTypes.find((name) => name === type) ?? 'undefined';
}

/** Own member of a record: neither an inherited name such as `constructor` nor a value that JSON would drop. */
export const member = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The value as JSON text, or undefined if it has none: cycles, bigints, functions, too deep nesting. */
export function toJsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Control for a field's answer. */
export type FieldKind =
  'text' | 'email' | 'uri' | 'date' | 'date-time' | 'number' | 'integer' | 'boolean' | 'single-select' | 'multi-select';

export interface Option {
  value: string;
  title: string;
}

export function fieldKind(field: FieldSchema): FieldKind {
  if (isMultiSelect(field)) return 'multi-select';
  if (isSingleSelect(field)) return 'single-select';
  return isText(field) ? (field.format ?? 'text') : field.type;
}

/** Options in the given order; an untitled option reads as its value. Empty for fields without options. */
export function optionsOf(field: FieldSchema): Option[] {
  if (isMultiSelect(field)) return 'anyOf' in field.items ? titled(field.items.anyOf) : untitled(field.items.enum);
  if (!isSingleSelect(field)) return [];
  if ('oneOf' in field) return titled(field.oneOf);
  return 'enumNames' in field ? untitled(field.enum, field.enumNames) : untitled(field.enum);
}

export const isMultiSelect = (field: FieldSchema): field is MultiSelectField => field.type === 'array';

export const isStringList = (field: ResultFieldSchema): field is StringListField =>
  field.type === 'array' && !('enum' in field.items) && !('anyOf' in field.items);

export const isSingleSelect = (field: FieldSchema): field is SingleSelectField =>
  field.type === 'string' && ('enum' in field || 'oneOf' in field);

export const isText = (field: FieldSchema): field is StringField => field.type === 'string' && !isSingleSelect(field);

export const isNumeric = (field: FieldSchema): field is NumberField =>
  field.type === 'number' || field.type === 'integer';

const titled = (options: { const: string; title: string }[]): Option[] =>
  options.map(({ const: value, title }) => ({ value, title }));

const untitled = (values: string[], titles: string[] = values): Option[] =>
  values.map((value, index) => ({ value, title: titles[index] ?? value }));

/** The part of JSON Schema that MCP forms may use: one flat object of plain fields and choices. */
export const stringFormats = ['email', 'uri', 'date', 'date-time'] as const;
export type StringFormat = (typeof stringFormats)[number];

interface Labels {
  title?: string;
  description?: string;
}

export interface StringField extends Labels {
  type: 'string';
  /** Length in characters (code points). */
  minLength?: number;
  maxLength?: number;
  format?: StringFormat;
  default?: string;
}

export interface NumberField extends Labels {
  type: 'number' | 'integer';
  minimum?: number;
  maximum?: number;
  default?: number;
}

interface BooleanField extends Labels {
  type: 'boolean';
  default?: boolean;
}

/** One option of a titled choice: `const` is the answer, `title` is what the person reads. */
interface TitledOption {
  const: string;
  title: string;
}

interface UntitledSelectField extends Labels {
  type: 'string';
  enum: string[];
  default?: string;
}

interface TitledSelectField extends Labels {
  type: 'string';
  oneOf: TitledOption[];
  default?: string;
}

/** The older way to give titles; MCP still allows it. */
interface LegacySelectField extends Labels {
  type: 'string';
  enum: string[];
  enumNames: string[];
  default?: string;
}

export type SingleSelectField = UntitledSelectField | TitledSelectField | LegacySelectField;

interface ManyOf extends Labels {
  type: 'array';
  minItems?: number;
  maxItems?: number;
  default?: string[];
}

interface UntitledMultiSelectField extends ManyOf {
  items: { type: 'string'; enum: string[] };
}

interface TitledMultiSelectField extends ManyOf {
  items: { anyOf: TitledOption[] };
}

export type MultiSelectField = UntitledMultiSelectField | TitledMultiSelectField;

export type FieldSchema = StringField | NumberField | BooleanField | SingleSelectField | MultiSelectField;

export interface FormSchema extends Labels {
  type: 'object';
  properties: Record<string, FieldSchema>;
  required?: string[];
}

/** A list of any texts, without choices: for results that no form asks for, such as the scopes a service granted. */
export interface StringListField extends ManyOf {
  items: { type: 'string' };
}

/** A field of a result of URL mode, filled in outside of MCP clients, so it may exceed their forms. */
export type ResultFieldSchema = FieldSchema | StringListField;

export interface ResultSchema extends Labels {
  type: 'object';
  properties: Record<string, ResultFieldSchema>;
  required?: string[];
}

export type FieldValue = string | number | boolean | string[];
export type FormContent = Record<string, FieldValue>;
