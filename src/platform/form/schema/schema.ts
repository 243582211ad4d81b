/** The part of JSON Schema that MCP forms may use: one flat object of plain fields and choices. */
export const stringFormats = ['email', 'uri', 'date', 'date-time'] as const;
export type StringFormat = (typeof stringFormats)[number];

interface Labels {
  title?: string;
  description?: string;
}

export interface StringField extends Labels {
  type: 'string';
  /** Lengths are counted in characters (code points). */
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

/** Any texts, not choices: for results that no form asks for, such as the scopes a service granted. */
export interface StringListField extends ManyOf {
  items: { type: 'string' };
}

/** What a result of URL mode may hold: it is filled in outside of MCP clients, so it may be more than their forms. */
export type ResultFieldSchema = FieldSchema | StringListField;

export interface ResultSchema extends Labels {
  type: 'object';
  properties: Record<string, ResultFieldSchema>;
  required?: string[];
}

export type FieldValue = string | number | boolean | string[];
export type FormContent = Record<string, FieldValue>;
