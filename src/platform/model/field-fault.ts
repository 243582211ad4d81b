/** Fault in the answer to one field of a form, as data; each display words it in its reader's language. */
export type FieldFault =
  | { code: (typeof plainFaults)[number] }
  | { code: 'type'; expected: ValueType; received: ValueType }
  | { code: 'format'; format: (typeof faultFormats)[number] }
  | { code: (typeof boundFaults)[number]; bound: number }
  /** The reason required by a policy: its least length and its form. */
  | { code: 'reason'; minLength: number; like: string | null };

const plainFaults = [
  'required',
  'no-such-field',
  'no-content',
  'unkeepable',
  'not-finite',
  'not-whole',
  'not-exact',
  'not-an-option',
  'not-options',
  'repeated',
] as const;

const faultFormats = ['email', 'uri', 'date', 'date-time'] as const;

const boundFaults = [
  'too-short',
  'too-long',
  'too-small',
  'too-big',
  'too-few-options',
  'too-many-options',
  'too-few-entries',
  'too-many-entries',
] as const;

/** The types of JSON, and a list of texts. */
export const valueTypes = ['string', 'number', 'boolean', 'object', 'array', 'null', 'undefined', 'strings'] as const;
export type ValueType = (typeof valueTypes)[number];

/** Rule of a field, as data; `least` and `most` are null without a bound. */
export type FieldRule =
  | { code: 'email' | 'uri' | 'utc' | 'lines' }
  | { code: 'characters' | 'range' | 'options' | 'entries'; least: number | null; most: number | null };
