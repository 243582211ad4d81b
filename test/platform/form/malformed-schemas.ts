import type { FieldError } from '#platform/model/problem';

export { malformedAnswers } from './malformed-answers.ts';

export interface MalformedSchema {
  name: string;
  /** Plain JSON, so that it can also be sent. */
  schema: unknown;
  /** Where an error must point, from the schema's root. */
  path: FieldError['path'];
}

/** Schemas outside the MCP subset, each of which must be refused. */
export const malformedSchemas = (): MalformedSchema[] => [
  ...notForms,
  ...badRoots,
  ...badNames,
  ...badFields.map(([name, field, ...at]) => ({ name, schema: form(field), path: ['properties', 'field', ...at] })),
  ...rootKeywords.map(([keyword, value]) => ({
    name: `${keyword} at the root`,
    schema: { ...form(text), [keyword]: value },
    path: [keyword],
  })),
  ...fieldKeywords.flatMap(([keyword, value]) => [
    withKeyword(keyword, value, 'a text field', text),
    withKeyword(keyword, value, 'an integer field', { type: 'integer' }),
    withKeyword(keyword, value, 'a yes-or-no field', { type: 'boolean' }),
    withKeyword(keyword, value, 'a list of choices', { type: 'array', items: { type: 'string', enum: ['a'] } }),
  ]),
  ...secretLabels.flatMap((label) => [
    { name: `a text field named ${label}`, schema: form(text, label), path: ['properties', label] },
    {
      name: `a number field titled ${label}`,
      schema: form({ type: 'number', title: label }),
      path: ['properties', 'field', 'title'],
    },
  ]),
];

const text = { type: 'string' };
const form = (field: unknown, name = 'field'): Record<string, unknown> => ({
  type: 'object',
  properties: { [name]: field },
});

const withKeyword = (keyword: string, value: unknown, what: string, field: object): MalformedSchema => ({
  name: `${keyword} in ${what}`,
  schema: form({ ...field, [keyword]: value }),
  path: ['properties', 'field', keyword],
});

const nested = (depth: number): unknown =>
  depth === 0 ? text : { type: 'object', properties: { inner: nested(depth - 1) } };
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `o${index}`);
const wide = Object.fromEntries(many(40).map((name) => [name, { type: 'string', description: 'ü'.repeat(1_000) }]));

const notForms: MalformedSchema[] = [
  null,
  true,
  42,
  'string',
  '{"type":"object","properties":{}}',
  [],
  [form(text)],
].map((schema) => ({ name: `${JSON.stringify(schema)} instead of a schema`, schema, path: [] }));

const badRoots: MalformedSchema[] = [
  { name: 'an empty object', schema: {}, path: ['type'] },
  { name: 'no type at the root', schema: { properties: {} }, path: ['type'] },
  { name: 'a root of type string', schema: { type: 'string', properties: {} }, path: ['type'] },
  { name: 'a root of type array', schema: { type: 'array', items: text }, path: ['type'] },
  { name: 'a root with a list of types', schema: { type: ['object'], properties: {} }, path: ['type'] },
  { name: 'no properties', schema: { type: 'object' }, path: ['properties'] },
  { name: 'properties null', schema: { type: 'object', properties: null }, path: ['properties'] },
  { name: 'properties as a list', schema: { type: 'object', properties: [text] }, path: ['properties'] },
  { name: 'properties as text', schema: { type: 'object', properties: 'name' }, path: ['properties'] },
  {
    name: '51 properties',
    schema: { type: 'object', properties: Object.fromEntries(many(51).map((name) => [name, text])) },
    path: ['properties'],
  },
  { name: 'more than 64 KiB in characters of two bytes', schema: { type: 'object', properties: wide }, path: [] },
  { name: 'a root title that is a number', schema: { ...form(text), title: 1 }, path: ['title'] },
  { name: 'a blank root title', schema: { ...form(text), title: ' ' }, path: ['title'] },
  { name: 'a root description that is a list', schema: { ...form(text), description: [] }, path: ['description'] },
  { name: 'required as text', schema: { ...form(text), required: 'field' }, path: ['required'] },
  { name: 'required true', schema: { ...form(text), required: true }, path: ['required'] },
  { name: 'required null', schema: { ...form(text), required: null }, path: ['required'] },
  { name: 'a required field that is not there', schema: { ...form(text), required: ['other'] }, path: ['required', 0] },
  { name: 'a required name objects inherit', schema: { ...form(text), required: ['toString'] }, path: ['required', 0] },
  { name: 'a required number', schema: { ...form(text), required: ['field', 1] }, path: ['required', 1] },
  { name: 'a field required twice', schema: { ...form(text), required: ['field', 'field'] }, path: ['required', 1] },
  { name: '51 required names', schema: { ...form(text), required: many(51) }, path: ['required'] },
];

const badNames: MalformedSchema[] = [
  { name: 'an empty name', field: '' },
  { name: 'a blank name', field: '   ' },
  { name: 'a name of 65 characters', field: 'n'.repeat(65) },
  { name: 'a name with a line break', field: 'a\nb' },
  { name: 'a name with a null character', field: 'a\0b' },
  { name: 'a name with an override of the reading direction', field: 'a\u202Eb' },
  { name: 'a name with an isolate of the reading direction', field: 'a\u2066b' },
  { name: 'the name __proto__', field: '__proto__' },
  { name: 'the name constructor', field: 'constructor' },
  { name: 'the name prototype', field: 'prototype' },
].map(({ name, field }) => ({ name, schema: form(text, field), path: ['properties', field] }));

const choice = (...values: unknown[]): object => ({ type: 'string', enum: values });
const titledChoice = (...options: unknown[]): object => ({ type: 'string', oneOf: options });
const list = (items: unknown, rest: object = {}): object => ({ type: 'array', items, ...rest });
const ab = { type: 'string', enum: ['a', 'b'] };
const optionA = { const: 'a', title: 'A' };

/** What is wrong, the field, and where within the field. */
const badFields: [name: string, field: unknown, ...at: FieldError['path']][] = [
  ['a field that is null', null],
  ['a field that is true', true],
  ['a field that is false', false],
  ['a field that is text', 'string'],
  ['a field that is a list', [text]],
  ['a field without a type', {}, 'type'],
  ['a field with options but without a type', { enum: ['a'] }, 'type'],
  ['a field of type null', { type: 'null' }, 'type'],
  ['a field of an unknown type', { type: 'text' }, 'type'],
  ['a field whose type is spelt in capitals', { type: 'String' }, 'type'],
  ['a field of two types', { type: ['string', 'null'] }, 'type'],
  ['E-26: a nested object', { type: 'object', properties: { a: text } }, 'type'],
  ['E-26: objects nested 100 deep', nested(100), 'type'],
  ['E-28: a list of objects', list({ type: 'object', properties: { a: text } }), 'items'],
  ['E-27: a list of strings', list({ type: 'string' }), 'items'],
  ['E-27: a list of numbers', list({ type: 'number' }), 'items'],
  ['a list of lists', list(list(ab)), 'items'],
  ['a list without items', { type: 'array' }, 'items'],
  ['a list with a tuple of items', list([ab]), 'items'],
  ['a list with items true', list(true), 'items'],
  ['a list of choices of numbers', list({ type: 'number', enum: [1, 2] }), 'items', 'type'],
  ['a list of choices without their type', list({ enum: ['a'] }), 'items', 'type'],
  ['a list of no choices', list({ type: 'string', enum: [] }), 'items', 'enum'],
  ['a list of repeated choices', list({ type: 'string', enum: ['a', 'a'] }), 'items', 'enum', 1],
  ['a list of choices with a pattern', list({ ...ab, pattern: 'a' }), 'items', 'pattern'],
  ['a list of choices with oneOf', list({ oneOf: [optionA] }), 'items'],
  ['a list of titled choices with a type', list({ type: 'string', anyOf: [optionA] }), 'items', 'type'],
  ['a list of choices given twice', list({ enum: ['a'], anyOf: [optionA] }), 'items', 'enum'],
  ['a list of no titled choices', list({ anyOf: [] }), 'items', 'anyOf'],
  ['a list of titled choices without a title', list({ anyOf: [{ const: 'a' }] }), 'items', 'anyOf', 0, 'title'],
  ['a list of repeated titled choices', list({ anyOf: [optionA, optionA] }), 'items', 'anyOf', 1, 'const'],
  ['a list of 501 choices', list({ type: 'string', enum: many(501) }), 'items', 'enum'],
  ['more choices demanded than there are', list(ab, { minItems: 3 }), 'minItems'],
  ['minItems over maxItems', list(ab, { minItems: 2, maxItems: 1 }), 'minItems'],
  ['a negative minItems', list(ab, { minItems: -1 }), 'minItems'],
  ['a fractional maxItems', list(ab, { maxItems: 1.5 }), 'maxItems'],
  ['a list default that is no list', list(ab, { default: 'a' }), 'default'],
  ['a list default outside the options', list(ab, { default: ['c'] }), 'default'],
  ['a list default with a repetition', list(ab, { default: ['a', 'a'] }), 'default'],
  ['a list default with too few choices', list(ab, { minItems: 2, default: ['a'] }), 'default'],
  ['a list default with too many choices', list(ab, { maxItems: 1, default: ['a', 'b'] }), 'default'],
  ['an empty enum', choice(), 'enum'],
  ['an enum that is no list', { type: 'string', enum: 'a' }, 'enum'],
  ['a repeated option', choice('a', 'b', 'a'), 'enum', 2],
  ['an option that is a number', choice('a', 1), 'enum', 1],
  ['an option that is null', choice('a', null), 'enum', 1],
  ['an empty option', choice('', 'a'), 'enum', 0],
  ['an option of 501 characters', choice('x'.repeat(501)), 'enum', 0],
  ['an option with an override of the reading direction', choice('a\u202Eb'), 'enum', 0],
  ['501 options', choice(...many(501)), 'enum'],
  ['a number field with an enum', { type: 'number', enum: [1, 2] }, 'enum'],
  ['a yes-or-no field with an enum', { type: 'boolean', enum: [true] }, 'enum'],
  ['enum and oneOf together', { ...choice('a'), oneOf: [optionA] }, 'oneOf'],
  ['a choice with a length', { ...choice('a'), minLength: 1 }, 'minLength'],
  ['a choice with a format', { ...choice('a@b.co'), format: 'email' }, 'format'],
  ['a choice default outside the options', { ...choice('a'), default: 'b' }, 'default'],
  ['fewer enumNames than options', { ...choice('a', 'b'), enumNames: ['A'] }, 'enumNames'],
  ['more enumNames than options', { ...choice('a'), enumNames: ['A', 'B'] }, 'enumNames'],
  ['enumNames that are no list', { ...choice('a'), enumNames: 'A' }, 'enumNames'],
  ['an enumName that is a number', { ...choice('a'), enumNames: [1] }, 'enumNames', 0],
  ['two enumNames that read alike', { ...choice('a', 'b'), enumNames: ['A', 'A'] }, 'enumNames', 1],
  ['enumNames without an enum', { type: 'string', enumNames: ['A'] }, 'enumNames'],
  ['an empty oneOf', titledChoice(), 'oneOf'],
  ['a oneOf that is no list', { type: 'string', oneOf: optionA }, 'oneOf'],
  ['a titled option that is text', titledChoice('a'), 'oneOf', 0],
  ['a titled option without a value', titledChoice({ title: 'A' }), 'oneOf', 0, 'const'],
  ['a titled option without a title', titledChoice({ const: 'a' }), 'oneOf', 0, 'title'],
  ['a titled option with a number', titledChoice({ const: 1, title: 'One' }), 'oneOf', 0, 'const'],
  ['a titled option with a blank title', titledChoice({ const: 'a', title: ' ' }), 'oneOf', 0, 'title'],
  ['a titled option with a description', titledChoice({ ...optionA, description: 'x' }), 'oneOf', 0, 'description'],
  ['a repeated titled option', titledChoice(optionA, { const: 'a', title: 'B' }), 'oneOf', 1, 'const'],
  ['two options that read alike', titledChoice(optionA, { const: 'b', title: 'A' }), 'oneOf', 1, 'title'],
  ['a titled default that is a title', { ...titledChoice(optionA), default: 'A' }, 'default'],
  ['E-29: oneOf of schemas', titledChoice({ type: 'string' }, { type: 'number' }), 'oneOf', 0, 'type'],
  ['a negative minLength', { type: 'string', minLength: -1 }, 'minLength'],
  ['a fractional maxLength', { type: 'string', maxLength: 2.5 }, 'maxLength'],
  ['a minLength written as text', { type: 'string', minLength: '3' }, 'minLength'],
  ['a maxLength of null', { type: 'string', maxLength: null }, 'maxLength'],
  ['minLength over maxLength', { type: 'string', minLength: 5, maxLength: 4 }, 'minLength'],
  ['E-30: format uuid', { type: 'string', format: 'uuid' }, 'format'],
  ['E-30: format time', { type: 'string', format: 'time' }, 'format'],
  ['format password', { type: 'string', format: 'password' }, 'format'],
  ['a format that is a list', { type: 'string', format: ['email'] }, 'format'],
  ['a format objects inherit', { type: 'string', format: 'toString' }, 'format'],
  ['a date too short to be one', { type: 'string', format: 'date', maxLength: 9 }, 'maxLength'],
  ['a date too long to be one', { type: 'string', format: 'date', minLength: 11 }, 'minLength'],
  ['an email address too long to be one', { type: 'string', format: 'email', minLength: 255 }, 'minLength'],
  ['a text default that is a number', { type: 'string', default: 1 }, 'default'],
  ['a text default of null', { type: 'string', default: null }, 'default'],
  ['a text default that is too short', { type: 'string', minLength: 3, default: 'ab' }, 'default'],
  ['a text default that is too long', { type: 'string', maxLength: 1, default: 'ab' }, 'default'],
  ['a text default of 10001 characters', { type: 'string', default: 'x'.repeat(10_001) }, 'default'],
  ['a default that is no email address', { type: 'string', format: 'email', default: 'ada' }, 'default'],
  ['a default that is no web address', { type: 'string', format: 'uri', default: 'example.com' }, 'default'],
  ['a default on a day that does not exist', { type: 'string', format: 'date', default: '2026-02-29' }, 'default'],
  [
    'a default time without an offset',
    { type: 'string', format: 'date-time', default: '2026-01-01T00:00:00' },
    'default',
  ],
  ['a minimum written as text', { type: 'number', minimum: '1' }, 'minimum'],
  ['a maximum of null', { type: 'integer', maximum: null }, 'maximum'],
  ['minimum over maximum', { type: 'number', minimum: 2, maximum: 1 }, 'minimum'],
  ['no integer between the bounds', { type: 'integer', minimum: 1.2, maximum: 1.8 }, 'minimum'],
  ['no exact integer over the minimum', { type: 'integer', minimum: 2 ** 60 }, 'minimum'],
  ['no exact integer under the maximum', { type: 'integer', maximum: -(2 ** 60) }, 'maximum'],
  ['a number default that is text', { type: 'number', default: '1' }, 'default'],
  ['an integer default with a fraction', { type: 'integer', default: 1.5 }, 'default'],
  ['a number default under the minimum', { type: 'number', minimum: 1, default: 0 }, 'default'],
  ['a number default over the maximum', { type: 'number', maximum: 1, default: 2 }, 'default'],
  ['a yes-or-no default that is text', { type: 'boolean', default: 'true' }, 'default'],
  ['a yes-or-no default of 1', { type: 'boolean', default: 1 }, 'default'],
  ['a number field with a length', { type: 'number', minLength: 1 }, 'minLength'],
  ['a text field with a bound', { type: 'string', minimum: 1 }, 'minimum'],
  ['a yes-or-no field with a format', { type: 'boolean', format: 'date' }, 'format'],
  ['a text field with a count', { type: 'string', maxItems: 1 }, 'maxItems'],
  ['a title that is a number', { type: 'string', title: 5 }, 'title'],
  ['a blank title', { type: 'string', title: '' }, 'title'],
  ['a title of 201 characters', { type: 'string', title: 'x'.repeat(201) }, 'title'],
  ['a title with a line break', { type: 'string', title: 'a\nb' }, 'title'],
  ['a title with an override of the reading direction', { type: 'string', title: 'evil\u202Etxt' }, 'title'],
  ['a title with half a character', { type: 'string', title: 'a\uD800' }, 'title'],
  ['a description that is an object', { type: 'string', description: {} }, 'description'],
  ['a description of 2001 characters', { type: 'string', description: 'x'.repeat(2_001) }, 'description'],
  ['a description with an escape sequence', { type: 'string', description: '\u001B[31mred' }, 'description'],
];

const anywhere: [keyword: string, value: unknown][] = [
  ['$ref', '#/$defs/a'],
  ['$defs', { a: text }],
  ['const', 'a'],
  ['allOf', [text]],
  ['anyOf', [text]],
  ['not', text],
  ['if', text],
  ['then', text],
  ['x-order', 1],
  ['toString', 'a'],
];

const rootKeywords: [keyword: string, value: unknown][] = [
  ...anywhere,
  ['oneOf', [text]],
  ['default', { field: 'a' }],
  ['additionalProperties', true],
  ['additionalProperties', text],
  ['patternProperties', { '^a': text }],
  ['propertyNames', text],
  ['minProperties', 1],
  ['dependentRequired', { field: [] }],
  ['$schema', 1],
];

const fieldKeywords: [keyword: string, value: unknown][] = [
  ...anywhere,
  ['pattern', '^[0-9]{10}$'],
  ['exclusiveMinimum', 0],
  ['exclusiveMaximum', 9],
  ['multipleOf', 5],
  ['uniqueItems', true],
  ['additionalProperties', false],
  ['required', true],
  ['$schema', 'https://json-schema.org/draft/2020-12/schema'],
  ['nullable', true],
  ['examples', ['a']],
  ['writeOnly', true],
];

const secretLabels = [
  'password',
  'apiKey',
  'access_token',
  'Private Key',
  'card-number',
  'CVV',
  'ssn',
  'verificationCode',
];
