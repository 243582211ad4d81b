import { describe, expect, test } from '@jest/globals';
import type { FieldSchema, FormSchema } from '#platform/form/schema';
import { Problem } from '#platform/model/problem';
import { carryDraft, checkDraft, startDraft } from '../../web/src/ui/form-draft.ts';
import { sortServerErrors } from '../../web/src/requests/decide/use-answer.ts';

const formOf = (properties: Record<string, FieldSchema>, required: string[] = []): FormSchema => ({
  type: 'object',
  properties,
  required,
});
const check = (field: FieldSchema, typed: string | string[], isRequired = false) =>
  checkDraft(formOf({ f: field }, isRequired ? ['f'] : []), { f: typed });

test('a form starts with its defaults, and the rest is empty', () => {
  const form = formOf({
    name: { type: 'string', default: 'Ada' },
    age: { type: 'integer', default: 30 },
    on: { type: 'boolean', default: false },
    many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b'] },
    empty: { type: 'string' },
    none: { type: 'array', items: { type: 'string', enum: ['a'] } },
  });
  expect(startDraft(form)).toEqual({ name: 'Ada', age: '30', on: 'false', many: ['b'], empty: '', none: [] });
  expect(checkDraft(form, startDraft(form)).content).toEqual({ name: 'Ada', age: 30, on: false, many: ['b'] });
});

describe('what is typed becomes the answer of its kind', () => {
  test.each([
    [{ type: 'string' }, ' kept as typed ', ' kept as typed '],
    [{ type: 'integer' }, ' 42 ', 42],
    [{ type: 'number' }, '-1250.50', -1250.5],
    [{ type: 'number' }, '1e3', 1000],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'string', enum: ['a', 'b'] }, 'b', 'b'],
    [{ type: 'string', format: 'date' }, '2026-03-31', '2026-03-31'],
  ] satisfies [FieldSchema, string, unknown][])('%j from %j', (field, typed, value) => {
    expect(check(field, typed)).toEqual({ content: { f: value }, faults: {} });
  });

  test('a date and time is a moment with its offset', () => {
    const { content, faults } = check({ type: 'string', format: 'date-time' }, '2026-03-31T09:30');
    expect(faults).toEqual({});
    expect(content['f']).toMatch(/^2026-03-31T09:30:00[+-]/);
  });

  test('an untouched date-and-time default keeps its own offset and seconds', () => {
    const field = { type: 'string', format: 'date-time', default: '2026-03-31T09:30:15.5+05:45' } as const;
    const form = formOf({ f: field });
    expect(checkDraft(form, startDraft(form)).content).toEqual({ f: field.default });
  });

  test('an empty field is not an answer', () => {
    for (const field of [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] satisfies FieldSchema[]) {
      expect(check(field, '')).toEqual({ content: {}, faults: {} });
    }
    expect(check({ type: 'array', items: { type: 'string', enum: ['a'] } }, [])).toEqual({ content: {}, faults: {} });
  });
});

describe('what is wrong is said at its field', () => {
  test.each([
    [{ type: 'string' }, '', 'required'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 }, [], 'at least 1'],
    [{ type: 'integer' }, '1,000', 'digits'],
    [{ type: 'number' }, 'ten', 'digits'],
    [{ type: 'integer' }, '1.5', 'whole'],
    [{ type: 'integer', maximum: 10 }, '11', 'at most 10'],
    [{ type: 'string', minLength: 3 }, 'ab', 'at least 3'],
    [{ type: 'string', format: 'email' }, 'ada', 'email'],
  ] satisfies [FieldSchema, string | string[], string][])('%j from %j', (field, typed, words) => {
    expect(check(field, typed, true).faults['f']).toContain(words);
  });
});

test('a changed form keeps what was typed where the field is of the same kind', () => {
  const before = formOf({ same: { type: 'string' }, other: { type: 'string' }, gone: { type: 'string' } });
  const after = formOf({
    same: { type: 'string', title: 'Same' },
    other: { type: 'integer' },
    fresh: { type: 'string', default: 'x' },
  });
  expect(carryDraft({ same: 'typed', other: '7', gone: 'y' }, before, after)).toEqual({
    same: 'typed',
    other: '',
    fresh: 'x',
  });
});

test('an inherited name is a field like any other', () => {
  const fields: [string, FieldSchema][] = ['constructor', 'toString'].map((name) => [name, { type: 'string' }]);
  const form = formOf(Object.fromEntries(fields), ['constructor']);
  expect(checkDraft(form, startDraft(form)).faults['constructor']).toContain('required');
});

test('server errors find their field, the comment, or the place above', () => {
  const problem = new Problem('INVALID_INPUT', {
    errors: [
      { path: ['content', 'age'], message: 'too old' },
      { path: ['content', 'age'], message: 'too odd' },
      { path: ['comment'], message: 'too long' },
      { path: ['content'], message: 'missing' },
    ],
  });
  expect(sortServerErrors(problem)).toEqual({ fields: { age: 'too old' }, comment: 'too long', rest: ['missing'] });
  expect(sortServerErrors(new TypeError('x'))).toEqual({ fields: {}, comment: null, rest: [] });
});
