import type { FieldSchema, FormSchema } from '#platform/form/schema';

export interface ValidSchema {
  name: string;
  schema: FormSchema;
}

/** Schemas within the MCP subset, each of which must pass unchanged. */
export const validSchemas = (): ValidSchema[] => [...conformance, ...whole, ...fields];

const text: FieldSchema = { type: 'string' };
const options = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
];
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `option${index + 1}`);

const conformance: ValidSchema[] = [
  {
    name: 'two required strings, as tools-call-elicitation asks',
    schema: {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    },
  },
  {
    name: 'defaults of every plain kind, as elicitation-sep1034-defaults asks',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'User name', default: 'John Doe' },
        age: { type: 'integer', description: 'User age', default: 30 },
        score: { type: 'number', description: 'User score', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', description: 'Verification status', default: true },
      },
      required: [],
    },
  },
  {
    name: 'five kinds of choice, as elicitation-sep1330-enums asks',
    schema: {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: many(3) },
        titledSingle: { type: 'string', oneOf: options },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: many(3) } },
        titledMulti: { type: 'array', items: { anyOf: options } },
      },
      required: [],
    },
  },
];

const whole: ValidSchema[] = [
  { name: 'a form without fields, to be accepted or declined', schema: { type: 'object', properties: {} } },
  { name: 'an empty required list', schema: { type: 'object', properties: { a: text }, required: [] } },
  {
    name: 'a title and a description of the form',
    schema: { type: 'object', title: 'Transfer', description: 'Line one.\n\tLine two.', properties: { a: text } },
  },
  {
    name: 'fifty fields',
    schema: {
      type: 'object',
      properties: Object.fromEntries(many(50).map((name) => [name, text])),
      required: many(50),
    },
  },
  { name: 'a name of 64 characters', schema: { type: 'object', properties: { ['n'.repeat(64)]: text } } },
  { name: 'a name with spaces and umlauts', schema: { type: 'object', properties: { 'Grund der Änderung': text } } },
  { name: 'a Chinese name', schema: { type: 'object', properties: { 批准原因: text }, required: ['批准原因'] } },
  { name: 'names objects inherit', schema: { type: 'object', properties: { toString: text, valueOf: text } } },
  { name: 'names of keywords', schema: { type: 'object', properties: { pattern: text, type: text, $ref: text } } },
  {
    name: 'names that only resemble secrets',
    schema: {
      type: 'object',
      properties: { tokenizer: text, author: text, passenger: text, secretary: text, pinned: text },
    },
  },
  {
    name: 'a yes-or-no question about a secret',
    schema: { type: 'object', properties: { resetPassword: { type: 'boolean', title: 'Reset the password?' } } },
  },
  {
    name: 'a choice between kinds of secret',
    schema: { type: 'object', properties: { credential: { type: 'string', enum: ['API key', 'password'] } } },
  },
];

const fields: ValidSchema[] = Object.entries<FieldSchema>({
  'plain text': text,
  'text with labels': { type: 'string', title: 'Reason', description: 'Why?\nIn one line.' },
  'text with an empty description': { type: 'string', description: '' },
  'text of any length': { type: 'string', minLength: 0 },
  'text of bounded length': { type: 'string', minLength: 2, maxLength: 40 },
  'text of one exact length': { type: 'string', minLength: 6, maxLength: 6 },
  'text with an empty default': { type: 'string', default: '' },
  'text with a long default': { type: 'string', default: 'x'.repeat(10_000) },
  'text whose default counts characters, not code units': { type: 'string', maxLength: 2, default: '👍👍' },
  'a title of 200 characters': { type: 'string', title: 'x'.repeat(200) },
  'a description of 2000 characters': { type: 'string', description: 'x'.repeat(2_000) },
  'an email address': { type: 'string', format: 'email', default: 'ada@example.com' },
  'an email address of bounded length': { type: 'string', format: 'email', minLength: 5, maxLength: 254 },
  'a web address': { type: 'string', format: 'uri', default: 'https://example.com/a?b=c' },
  'a date': { type: 'string', format: 'date', default: '2024-02-29' },
  'a date with the only length it can have': { type: 'string', format: 'date', minLength: 10, maxLength: 10 },
  'a date and time': { type: 'string', format: 'date-time', default: '2026-03-31T09:30:00+02:00' },
  'a number': { type: 'number' },
  'a number within bounds': { type: 'number', minimum: -1.5, maximum: 1.5, default: 0 },
  'a number with one possible value': { type: 'number', minimum: 2.5, maximum: 2.5, default: 2.5 },
  'an integer': { type: 'integer' },
  'an integer within bounds': { type: 'integer', minimum: 18, maximum: 120, default: 30 },
  'an integer between fractional bounds': { type: 'integer', minimum: 0.5, maximum: 1.5, default: 1 },
  'an integer with a default on its bound': { type: 'integer', minimum: 0, default: 0 },
  'a yes or no': { type: 'boolean' },
  'a yes or no that starts as no': { type: 'boolean', title: 'Notify the owner', default: false },
  'a choice of one option': { type: 'string', enum: ['only'] },
  'a choice with a default': { type: 'string', enum: ['a', 'b'], default: 'b' },
  'a choice of 500 options': { type: 'string', enum: many(500) },
  'a choice with titles and a default': { type: 'string', title: 'Size', oneOf: options, default: 'value2' },
  'a choice with titles in the older form': { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'a' },
  'several choices': { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  'several choices, none at first': { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: [] },
  'several choices within counts': {
    type: 'array',
    title: 'Colours',
    description: 'One or two.',
    items: { type: 'string', enum: ['red', 'green', 'blue'] },
    minItems: 1,
    maxItems: 2,
    default: ['red'],
  },
  'all of the choices': {
    type: 'array',
    items: { type: 'string', enum: ['a', 'b'] },
    minItems: 2,
    default: ['b', 'a'],
  },
  'several choices with titles': {
    type: 'array',
    items: { anyOf: options },
    minItems: 0,
    maxItems: 3,
    default: ['value1'],
  },
}).map(([name, field]) => ({ name, schema: { type: 'object', properties: { field }, required: ['field'] } }));
