import { describe, expect, test } from '@jest/globals';
import { checkAnswer } from '#platform/form/answer';
import { lintFormSchema, lintResultSchema } from '#platform/form/lint';
import type { ResultSchema } from '#platform/form/schema';

const granted = {
  type: 'object',
  properties: {
    accessToken: { type: 'string' },
    scope: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    username: { type: 'string' },
  },
  required: ['accessToken', 'scope'],
};

const schema = (): ResultSchema => {
  const lint = lintResultSchema(granted);
  if (!lint.ok) throw new TypeError(JSON.stringify(lint.errors));
  return lint.schema;
};

describe('F-183: the result of URL mode', () => {
  test('may be what no form may ask for: secrets and lists of any texts', () => {
    expect(lintResultSchema(granted)).toEqual({ ok: true, schema: granted });
    const asForm = lintFormSchema(granted);
    expect(asForm.ok ? [] : asForm.errors.map(({ path }) => path.join('.'))).toEqual([
      'properties.accessToken',
      'properties.scope.items',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['a list of numbers', { type: 'array', items: { type: 'number' } }, 'items'],
    ['a list without items', { type: 'array' }, 'items'],
    ['a list of texts with a pattern', { type: 'array', items: { type: 'string', pattern: 'x' } }, 'items'],
    ['a list of lists', { type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'items'],
    ['counts the wrong way round', { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 1 }, 'minItems'],
    ['an unknown keyword', { type: 'array', items: { type: 'string' }, uniqueItems: true }, 'uniqueItems'],
    ['a default that breaks the rule', { type: 'array', items: { type: 'string' }, default: [1] }, 'default'],
    ['an object', { type: 'object', properties: {} }, 'type'],
  ])('is refused with %s', (_what, field, at) => {
    const lint = lintResultSchema({ type: 'object', properties: { field } });
    expect(lint.ok ? [] : lint.errors.map(({ path }) => path[2])).toContain(at);
  });

  test.each<[string, unknown, string | null]>([
    ['one entry', ['repo'], null],
    ['three entries, two alike', ['a', 'b', 'a'], null],
    ['no entry', [], 'Must be at least 1 entry.'],
    ['four entries', ['a', 'b', 'c', 'd'], 'Must be at most 3 entries.'],
    ['a number among texts', ['a', 1], 'Expected strings, received number'],
    ['nothing in a place', [undefined], 'Expected strings, received undefined'],
    ['a text', 'repo', 'Expected array, received string'],
    [
      'two halves of a character',
      ['\ud83d', '\ude00'],
      'Type this instead of pasting it: it contains a character that cannot be stored.',
    ],
    ['more than can be kept', Array.from({ length: 501 }, () => 'a'), 'Must be at most 500 entries.'],
  ])('with %s is checked', (_what, scope, message) => {
    const checked = checkAnswer(schema(), { action: 'accept', content: { accessToken: 'secret', scope } });
    expect(checked.ok ? null : checked.errors).toEqual(message === null ? null : [{ path: ['scope'], message }]);
  });
});
