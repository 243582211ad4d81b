import { countCharacters, countOf, hasUnkeepableCharacters } from './characters.ts';
import { isMultiSelect, isNumeric, isSingleSelect, isStringList, isText, optionsOf } from './field-kind.ts';
import { typeName } from './json.ts';
import { limits } from './limits.ts';
import type {
  MultiSelectField,
  NumberField,
  ResultFieldSchema,
  SingleSelectField,
  StringField,
  StringListField,
} from './schema.ts';
import { isOfFormat } from './string-format.ts';

/** The first thing wrong with a value, in words for the person in front of the form; nothing is converted. */
export function faultOfField(field: ResultFieldSchema, value: unknown): string | undefined {
  if (isStringList(field)) return faultOfTexts(field, value);
  if (isMultiSelect(field)) return faultOfChoices(field, value);
  if (isSingleSelect(field)) return faultOfChoice(field, value);
  if (isText(field)) return faultOfText(field, value);
  if (isNumeric(field)) return faultOfNumber(field, value);
  return typeof value === 'boolean' ? undefined : mismatch('boolean', value);
}

const mismatch = (expected: string, value: unknown): string => `Expected ${expected}, received ${typeName(value)}`;

function faultOfText(field: StringField, text: unknown): string | undefined {
  if (typeof text !== 'string') return mismatch('string', text);
  return unkeepable(text) ?? tooShort(field, text) ?? tooLong(field, text) ?? misformatted(field, text);
}

const unkeepable = (text: string): string | undefined =>
  hasUnkeepableCharacters(text)
    ? 'Contains a character that cannot be kept. Type it again instead of pasting.'
    : undefined;

function tooShort({ minLength }: StringField, text: string): string | undefined {
  if (minLength === undefined || countCharacters(text) >= minLength) return undefined;
  return `Must be at least ${countOf(minLength, 'character')}.`;
}

function tooLong({ maxLength }: StringField, text: string): string | undefined {
  if (maxLength === undefined || countCharacters(text) <= maxLength) return undefined;
  return `Must be at most ${countOf(maxLength, 'character')}.`;
}

const formatSentences = {
  email: 'Must be an email address, such as name@example.com.',
  uri: 'Must be a full address, such as https://example.com.',
  date: 'Must be a date that exists, such as 2026-03-31.',
  'date-time': 'Must be a date and time with its offset, such as 2026-03-31T09:30:00Z.',
};

const misformatted = ({ format }: StringField, text: string): string | undefined =>
  format === undefined || isOfFormat(format, text) ? undefined : formatSentences[format];

function faultOfNumber(field: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number') return mismatch('number', value);
  return infinite(value) ?? fractional(field, value) ?? tooSmall(field, value) ?? tooBig(field, value);
}

const infinite = (value: number): string | undefined =>
  Number.isFinite(value) ? undefined : 'Must be a number that can be written out.';

// Beyond 2^53 two integers read alike, so what was typed could not be told from its neighbour.
function fractional({ type }: NumberField, value: number): string | undefined {
  if (type !== 'integer' || Number.isSafeInteger(value)) return undefined;
  return Number.isInteger(value) ? 'Must be a smaller whole number.' : 'Must be a whole number.';
}

const tooSmall = ({ minimum }: NumberField, value: number): string | undefined =>
  minimum === undefined || value >= minimum ? undefined : `Must be at least ${minimum}.`;

const tooBig = ({ maximum }: NumberField, value: number): string | undefined =>
  maximum === undefined || value <= maximum ? undefined : `Must be at most ${maximum}.`;

function faultOfChoice(field: SingleSelectField, value: unknown): string | undefined {
  if (typeof value !== 'string') return mismatch('string', value);
  return optionsOf(field).some((option) => option.value === value) ? undefined : 'Choose one of the options.';
}

function faultOfChoices(field: MultiSelectField, values: unknown): string | undefined {
  if (!Array.isArray(values)) return mismatch('array', values);
  return unknownChoice(field, values) ?? repeatedChoice(values) ?? tooFew(field, values) ?? tooMany(field, values);
}

function unknownChoice(field: MultiSelectField, values: unknown[]): string | undefined {
  const known = new Set<unknown>(optionsOf(field).map((option) => option.value));
  // Not every(): a hole in the list would pass it.
  const stranger = values.findIndex((value) => !known.has(value));
  return stranger === -1 ? undefined : 'Choose only from the options.';
}

const repeatedChoice = (values: unknown[]): string | undefined =>
  new Set(values).size === values.length ? undefined : 'Choose each option once.';

function faultOfTexts(field: StringListField, values: unknown): string | undefined {
  if (!Array.isArray(values)) return mismatch('array', values);
  if (values.length > limits.listItems) return `Must be at most ${countOf(limits.listItems, 'entry', 'entries')}.`;
  return strangeEntry(values) ?? tooFewEntries(field, values) ?? tooManyEntries(field, values);
}

function strangeEntry(values: unknown[]): string | undefined {
  // Not find(): a hole in the list would look like nothing found.
  const at = values.findIndex((value) => typeof value !== 'string');
  if (at !== -1) return mismatch('strings', values[at]);
  return values.map((value) => unkeepable(String(value))).find((fault) => fault !== undefined);
}

function tooFewEntries({ minItems }: StringListField, values: unknown[]): string | undefined {
  if (minItems === undefined || values.length >= minItems) return undefined;
  return `Must be at least ${countOf(minItems, 'entry', 'entries')}.`;
}

function tooManyEntries({ maxItems }: StringListField, values: unknown[]): string | undefined {
  if (maxItems === undefined || values.length <= maxItems) return undefined;
  return `Must be at most ${countOf(maxItems, 'entry', 'entries')}.`;
}

function tooFew({ minItems }: MultiSelectField, values: unknown[]): string | undefined {
  if (minItems === undefined || values.length >= minItems) return undefined;
  return `Choose at least ${countOf(minItems, 'option')}.`;
}

function tooMany({ maxItems }: MultiSelectField, values: unknown[]): string | undefined {
  if (maxItems === undefined || values.length <= maxItems) return undefined;
  return `Choose at most ${countOf(maxItems, 'option')}.`;
}
