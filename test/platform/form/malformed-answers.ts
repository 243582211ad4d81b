import type { FieldSchema, FormSchema } from '#platform/form/schema';

export interface MalformedAnswer {
  name: string;
  /** A schema that passes the lint. */
  schema: FormSchema;
  /** What an accept brings as its content; plain JSON, or undefined where there is none. */
  answer: unknown;
}

/** Contents of an accept that must be refused, each because of one fault in `field` unless the name says otherwise. */
export const malformedAnswers = (): MalformedAnswer[] => [
  ...notContents.map(([name, answer]) => ({ name, schema: form({ type: 'string' }), answer })),
  ...strangers,
  ...faults.flatMap(({ what, field, bad }) =>
    bad.map((value) => ({
      name: `${JSON.stringify(value)} for ${what}`,
      schema: form(field),
      answer: { field: value },
    })),
  ),
  ...faults.map(({ what, field }) => ({
    name: `nothing for ${what} that is required`,
    schema: form(field),
    answer: {},
  })),
];

const form = (field: FieldSchema): FormSchema => ({ type: 'object', properties: { field }, required: ['field'] });

const notContents: [name: string, answer: unknown][] = [
  ['no content', undefined],
  ['content null', null],
  ['content that is a list', ['a']],
  ['content that is text', '{"field":"a"}'],
  ['content that is a number', 1],
  ['content that is true', true],
];

const optional: FormSchema = { type: 'object', properties: { field: { type: 'string' } } };

/** Names the form does not have; JSON.parse is the only way to write an own `__proto__`. */
const strangers: MalformedAnswer[] = ['other', 'Field', 'field ', '', 'toString', 'constructor', '__proto__'].map(
  (name) => ({
    name: `a field ${JSON.stringify(name)} the form does not have`,
    schema: optional,
    answer: JSON.parse(`{"field":"a",${JSON.stringify(name)}:"b"}`),
  }),
);

const options = { type: 'string' as const, enum: ['red', 'green', 'blue'] };
const titled = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

const faults: { what: string; field: FieldSchema; bad: unknown[] }[] = [
  { what: 'text', field: { type: 'string' }, bad: [1, true, null, ['a'], { a: 1 }, 'a\0b', 'half \uD83D'] },
  {
    what: 'text of 3 to 5 characters',
    field: { type: 'string', minLength: 3, maxLength: 5 },
    bad: ['', 'ab', '👍👍', 'abcdef'],
  },
  { what: 'an email address', field: { type: 'string', format: 'email' }, bad: ['', 'ada', 'ada@', 'a b@example.com'] },
  { what: 'a web address', field: { type: 'string', format: 'uri' }, bad: ['', 'example.com', 'https://a b', '/path'] },
  {
    what: 'a date',
    field: { type: 'string', format: 'date' },
    bad: ['', '2026-02-29', '2026-2-1', '31.03.2026', 20260331],
  },
  {
    what: 'a date and time',
    field: { type: 'string', format: 'date-time' },
    bad: ['2026-03-31', '2026-03-31T09:30:00', '2026-03-31T25:00:00Z', '2026-02-30T09:30:00Z', 0],
  },
  { what: 'a number', field: { type: 'number' }, bad: ['thirty', '30', '', true, null, [30], {}] },
  { what: 'a number from -1 to 1', field: { type: 'number', minimum: -1, maximum: 1 }, bad: [-1.01, 1.01, 1e308] },
  { what: 'an integer', field: { type: 'integer' }, bad: ['1', 1.5, 2 ** 53, -(2 ** 53), 1e300, false, null] },
  {
    what: 'an integer from 18 to 120',
    field: { type: 'integer', minimum: 18, maximum: 120 },
    bad: [17, 121, -18, 18.5],
  },
  { what: 'a yes or no', field: { type: 'boolean' }, bad: ['true', 'yes', '', 0, 1, null, []] },
  { what: 'a choice', field: options, bad: ['purple', 'Red', 'red ', '', ['red'], 0, null] },
  { what: 'a choice with titles', field: { type: 'string', oneOf: titled }, bad: ['Red', 'x', { const: 'r' }] },
  {
    what: 'a choice in the older form',
    field: { type: 'string', enum: ['r'], enumNames: ['Red'] },
    bad: ['Red', 'R', 1],
  },
  {
    what: 'several choices',
    field: { type: 'array', items: options },
    bad: ['red', ['purple'], ['red', 'purple'], ['red', 'red'], [1], [null], {}],
  },
  {
    what: 'one or two choices',
    field: { type: 'array', items: options, minItems: 1, maxItems: 2 },
    bad: [[], ['red', 'green', 'blue'], [['red']], null],
  },
  {
    what: 'several choices with titles',
    field: { type: 'array', items: { anyOf: titled } },
    bad: [['Red'], ['r', 'r'], 'r'],
  },
];
