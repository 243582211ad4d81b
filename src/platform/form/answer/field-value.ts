import type { FieldFault, ValueType } from '../../model/field-fault.ts';
import { countCharacters, hasUnkeepableCharacters } from '../schema/characters.ts';
import { isMultiSelect, isNumeric, isSingleSelect, isStringList, isText, optionsOf } from '../schema/field-kind.ts';
import { typeName } from '../schema/json.ts';
import { limits } from '../schema/limits.ts';
import type {
  MultiSelectField,
  NumberField,
  ResultFieldSchema,
  SingleSelectField,
  StringField,
  StringListField,
} from '../schema/schema.ts';
import { isOfFormat } from '../schema/string-format.ts';

/** The first thing wrong with a value; nothing is converted. */
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
