import { describe, expect, test } from '@jest/globals';
import { type FieldKind, fieldKind, type Option, optionsOf, type FieldSchema } from '#platform/form/schema';

const ab: Option[] = [
  { value: 'a', title: 'Alpha' },
  { value: 'b', title: 'Beta' },
];
const titledAb = ab.map(({ value, title }) => ({ const: value, title }));
const bare = ab.map(({ value }) => ({ value, title: value }));

const cases: [FieldSchema, FieldKind, Option[]][] = [
  [{ type: 'string' }, 'text', []],
  [{ type: 'string', format: 'email' }, 'email', []],
  [{ type: 'string', format: 'uri' }, 'uri', []],
  [{ type: 'string', format: 'date' }, 'date', []],
  [{ type: 'string', format: 'date-time' }, 'date-time', []],
  [{ type: 'number' }, 'number', []],
  [{ type: 'integer' }, 'integer', []],
  [{ type: 'boolean' }, 'boolean', []],
  [{ type: 'string', enum: ['a', 'b'] }, 'single-select', bare],
  [{ type: 'string', oneOf: titledAb }, 'single-select', ab],
  [{ type: 'string', enum: ['a', 'b'], enumNames: ['Alpha', 'Beta'] }, 'single-select', ab],
  [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, 'multi-select', bare],
  [{ type: 'array', items: { anyOf: titledAb } }, 'multi-select', ab],
];

describe('which control answers a field', () => {
  test.each(cases)('%j is answered with %s', (field, kind, options) => {
    expect(fieldKind(field)).toBe(kind);
    expect(optionsOf(field)).toEqual(options);
  });
});
