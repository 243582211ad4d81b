import type {
  FieldSchema,
  MultiSelectField,
  NumberField,
  ResultFieldSchema,
  SingleSelectField,
  StringField,
  StringListField,
} from './schema.ts';

/** Which control a field is answered with. */
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

/** What can be chosen, in the order given; an untitled option reads as its value. Empty for fields without options. */
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
