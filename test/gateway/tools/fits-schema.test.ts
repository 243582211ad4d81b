import { expect, test } from '@jest/globals';
import { fitsDefinition } from '#gateway/tools/definition';
import { fitsSchema } from '#gateway/tools/fits-schema';

const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    limit: { type: ['integer', 'null'] },
    kind: { enum: ['a', { b: 1 }] },
    one: { const: 1 },
    tags: { type: 'array', items: { type: 'string' } },
    place: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/place' }] },
    open: { type: 'object' },
    counts: { type: 'object', additionalProperties: { type: 'number' } },
  },
  required: ['id'],
  $defs: { place: { type: 'object', properties: { city: { type: 'string' }, in: { $ref: '#/$defs/place' } } } },
};

test.each([
  { id: 'x' },
  { id: 'x', limit: null, kind: { b: 1 }, one: 1, tags: ['a'] },
  { id: 'x', place: { city: 'Bern', in: { city: 'CH' } }, open: { any: [1] }, counts: { a: 1.5 } },
])('%j fits', (value) => expect(fitsSchema(schema, value)).toBe(true));

test.each([
  {},
  { id: 1 },
  { id: { $ne: null } },
  { id: 'x', more: 1 },
  { id: 'x', limit: 1.5 },
  { id: 'x', kind: 'b' },
  { id: 'x', one: 2 },
  { id: 'x', tags: 'a' },
  { id: 'x', tags: ['a', { $where: '1' }] },
  { id: 'x', place: { city: 'Bern', run: 'x' } },
  { id: 'x', place: { in: { in: { city: 1 } } } },
  { id: 'x', counts: { a: 'b' } },
])('%j does not fit', (value) => expect(fitsSchema(schema, value)).toBe(false));

test.each([
  [undefined],
  [{ $ref: 'https://evil.example/schema' }],
  [{ $ref: '#/$defs/loop', $defs: { loop: { $ref: '#/$defs/loop' } } }],
  [{ $ref: '#/$defs/__proto__', $defs: {} }],
  [{ type: 'text' }],
  [{ not: {}, type: 'array' }],
])('in doubt nothing fits: %j', (schema) => expect(fitsSchema(schema, { a: 1 })).toBe(false));

test('a call fits its definition without options, and only with arguments that the definition names', () => {
  const tool = { name: 'list', inputSchema: schema };
  expect(fitsDefinition(tool, { id: 'x' })).toBe(true);
  expect(fitsDefinition(tool, { id: '--output=x' })).toBe(false);
  expect(fitsDefinition({ name: 'list', inputSchema: { type: 'object' } }, { id: 'x' })).toBe(false);
  expect(fitsDefinition({ name: 'list', inputSchema: { type: 'object' } }, {})).toBe(true);
  expect(fitsDefinition({ name: 'list' }, {})).toBe(false);
});
