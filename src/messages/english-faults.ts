import type { FieldFault, FieldRule } from '#platform/model/field-fault';
import { formatsIn } from '#platform/text/formats';

const { count, number } = formatsIn('en');

const characters = { one: 'character', other: 'characters' };
const entries = { one: 'entry', other: 'entries' };
const options = { one: 'option', other: 'options' };

/** What is wrong with the answer to a field, for the person in front of the form. */
export function formatFault(fault: FieldFault): string {
  switch (fault.code) {
    case 'type':
      return `Expected ${fault.expected}, received ${fault.received}`;
    case 'format':
      return formats[fault.format];
    case 'too-short':
      return `Must be at least ${count(fault.bound, characters)}.`;
    case 'too-long':
      return `Must be at most ${count(fault.bound, characters)}.`;
    case 'too-small':
      return `Must be at least ${fault.bound}.`;
    case 'too-big':
      return `Must be at most ${fault.bound}.`;
    case 'too-few-options':
      return `Choose at least ${count(fault.bound, options)}.`;
    case 'too-many-options':
      return `Choose at most ${count(fault.bound, options)}.`;
    case 'too-few-entries':
      return `Must be at least ${count(fault.bound, entries)}.`;
    case 'too-many-entries':
      return `Must be at most ${count(fault.bound, entries)}.`;
    case 'reason':
      return `Give a reason${formatReason(fault)}.`;
    default:
      return plain[fault.code];
  }
}

/** What a field allows, said before anything is typed. */
export function formatRule(rule: FieldRule): string {
  if (!('least' in rule)) return rules[rule.code];
  const { code, least, most } = rule;
  const noun = code === 'characters' ? characters : code === 'entries' ? entries : options;
  const write = (bound: number): string => (code === 'range' ? String(bound) : number(bound));
  const counted = (bound: number): string => (code === 'range' ? String(bound) : count(bound, noun));
  const lead = code === 'options' ? 'Choose ' : '';
  if (least !== null && most !== null) return `${lead}${write(least)} to ${counted(most)}.`;
  if (most !== null) return `${lead}${lead ? 'at most' : 'At most'} ${counted(most)}.`;
  return `${lead}${lead ? 'at least' : 'At least'} ${counted(least ?? 0)}.`;
}

const formats = {
  email: 'Must be an email address, such as name@example.com.',
  uri: 'Must be a full address, such as https://example.com.',
  date: 'Must be a date that exists, such as 2026-03-31.',
  'date-time': 'Must be a date and time with its offset, such as 2026-03-31T09:30:00Z.',
};

const plain = {
  required: 'This field is required.',
  'no-such-field': 'The form has no such field.',
  'no-content': 'Fill in the form: an accept needs its answers.',
  unkeepable: 'Type this instead of pasting it: it contains a character that cannot be stored.',
  'not-finite': 'Must be a number with digits and at most one point, such as 1250.50.',
  'not-whole': 'Must be a whole number.',
  'not-exact': 'Must be a smaller whole number.',
  'not-an-option': 'Choose one of the options.',
  'not-options': 'Choose only from the options.',
  repeated: 'Choose each option once.',
};

const rules = {
  email: 'An email address, such as name@example.com.',
  uri: 'A full address, such as https://example.com.',
  utc: 'The time is UTC.',
  lines: 'One on each line.',
};

/** The rules for a reason, in brackets; nothing if any reason will do. */
export function formatReason({ minLength, like }: { minLength: number; like: string | null }): string {
  const rules = [
    ...(minLength > 1 ? [`at least ${number(minLength)} characters`] : []),
    ...(like === null ? [] : [`in the form ${like}`]),
  ];
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}
