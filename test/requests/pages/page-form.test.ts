import { describe, expect, test } from '@jest/globals';
import { checkAnswer, type AnswerFault } from '#platform/form/answer';
import type { ResultFieldSchema, ResultSchema } from '#platform/form/schema';
import { formatRule } from '#messages/english-faults';
import { readFields, repeatFields, startFields } from '#requests/pages/verbs/page';

const only = (field: ResultFieldSchema, isRequired = false): ResultSchema => ({
  type: 'object',
  properties: { field },
  ...(isRequired && { required: ['field'] }),
});
const read = (field: ResultFieldSchema, typed: string[], isRequired = false): unknown =>
  readFields(only(field, isRequired), (name) => (name === 'field' ? typed : []))['field'];

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const moment = { type: 'string', format: 'date-time' } as const;
const many: ResultFieldSchema = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } };
const lines = { type: 'array', items: { type: 'string' } } as const;

describe('what was typed', () => {
  test.each<[string, ResultFieldSchema, string[], unknown]>([
    ['nothing', text, [], undefined],
    ['white space', text, ['  '], undefined],
    ['a text, as it was typed', text, [' a '], ' a '],
    ['lines, without the browser’s line ends', text, ['a\r\nb'], 'a\nb'],
    ['an address, trimmed', { ...text, format: 'email' }, [' a@example.com '], 'a@example.com'],
    ['a number', number, [' -1.5 '], -1.5],
    ['an exponent', number, ['1e3'], 1000],
    ['a hexadecimal number', number, ['0x10'], Number.NaN],
    ['a number with a comma', number, ['1,5'], Number.NaN],
    ['a word for a number', number, ['Infinity'], Number.NaN],
    ['yes', { type: 'boolean' }, ['true'], true],
    ['no', { type: 'boolean' }, ['false'], false],
    ['neither', { type: 'boolean' }, [], undefined],
    ['minutes of a day', moment, ['2026-03-31T09:30'], '2026-03-31T09:30:00Z'],
    ['seconds of a day', moment, ['2026-03-31T09:30:05'], '2026-03-31T09:30:05Z'],
    ['a moment written out', moment, ['2026-03-31T09:30:00+02:00'], '2026-03-31T09:30:00+02:00'],
    ['choices', many, ['a', 'b'], ['a', 'b']],
    ['no choice', many, [], undefined],
    ['lines of a list', lines, [' a \r\n\r\nb\n'], ['a', 'b']],
    ['no line of a list', lines, [' \n'], undefined],
  ])('%s is read', (_what, field, typed, value) => {
    expect(read(field, typed)).toEqual(value);
  });

  test.each<[string, ResultFieldSchema]>([
    ['choices', many],
    ['lines', lines],
  ])('no %s if some answer is required is an empty list', (_what, field) => {
    expect(read(field, [], true)).toEqual([]);
  });

  test('what is not a number is not an answer to a number field', () => {
    const schema = only(number, true);
    const content = readFields(schema, () => ['twelve']);
    expect(checkAnswer(schema, { action: 'accept', content })).toMatchObject({ ok: false });
  });
});

describe('the fields', () => {
  test('start with their defaults, as their controls hold them', () => {
    const schema: ResultSchema = {
      type: 'object',
      properties: {
        when: { ...moment, default: '2026-03-31T09:30:00+02:00' },
        age: { type: 'integer', default: 30 },
        agreed: { type: 'boolean', default: false },
        days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] }, default: ['tue'] },
        scopes: { ...lines, default: ['a', 'b'] },
        name: text,
      },
    };
    expect(startFields(schema).map(({ typed }) => typed)).toEqual([
      ['2026-03-31T07:30:00'],
      ['30'],
      ['false'],
      ['tue'],
      ['a\nb'],
      [],
    ]);
    const again = Object.fromEntries(startFields(schema).map(({ name, typed }) => [name, typed]));
    expect(readFields(schema, (name) => again[name] ?? [])).toEqual({
      when: '2026-03-31T07:30:00Z',
      age: 30,
      agreed: false,
      days: ['tue'],
      scopes: ['a', 'b'],
    });
  });

  test('come back with what was typed and what is wrong', () => {
    const schema: ResultSchema = { type: 'object', properties: { age: { type: 'integer' }, name: text } };
    const typed: Record<string, string[]> = { age: ['old'], name: ['Ada'] };
    const faults: AnswerFault[] = [{ path: ['age'], fault: { code: 'not-whole' } }];
    expect(repeatFields(schema, (name) => typed[name] ?? [], faults)).toMatchObject([
      { name: 'age', typed: ['old'], fault: { code: 'not-whole' } },
      { name: 'name', typed: ['Ada'], fault: null },
    ]);
  });

  test.each<[ResultFieldSchema, string]>([
    [text, ''],
    [{ ...text, minLength: 2, maxLength: 5 }, '2 to 5 characters.'],
    [{ ...text, minLength: 1 }, 'At least 1 character.'],
    [{ ...text, format: 'uri', maxLength: 80 }, 'A full address, such as https://example.com. At most 80 characters.'],
    [{ ...number, minimum: 0, maximum: 9 }, '0 to 9.'],
    [{ ...number, minimum: 0 }, 'At least 0.'],
    [{ ...number, maximum: -1 }, 'At most -1.'],
    [moment, 'The time is UTC.'],
    [{ ...lines, maxItems: 3 }, 'One on each line. At most 3 entries.'],
  ])('say in words what %j allows', (field, rule) => {
    expect(startFields(only(field))[0]?.rules.map(formatRule).join(' ')).toBe(rule);
  });
});
