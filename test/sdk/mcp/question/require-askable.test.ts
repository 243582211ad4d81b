import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { requireAskable } from '#sdk/mcp/question/call';

const faultsOf = (asks: unknown, options: object = {}) => {
  try {
    requireAskable('Go on?', asks, options);
    return [];
  } catch (error) {
    return (error as { errors: unknown[] }).errors;
  }
};

describe('what a tool asks with', () => {
  test.each<[string, unknown]>([
    ['a zod object', z.object({ id: z.string() })],
    ['a JSON schema', { type: 'object', properties: { id: { type: 'string' } } }],
    ['an address', 'https://pay.example/1'],
    ['a URL', new URL('https://pay.example/1')],
  ])('may be %s', (_what, asks) => expect(faultsOf(asks)).toEqual([]));

  test.each<[string, unknown, string]>([
    ['a form of zod 3', z3.object({ id: z3.string() }), 'Write the form with zod 4'],
    ['fields without their object', { id: z.string() }, 'Wrap these fields in z.object({ … }).'],
    ['fields of zod 3 without their object', { id: z3.string() }, 'Wrap these fields in z.object({ … }).'],
    ['nothing', undefined, 'Give a zod object, a JSON Schema or an address.'],
    ['a list', [], 'Give a zod object, a JSON Schema or an address.'],
  ])('may not be %s, and the error says what to do', (_what, asks, advice) =>
    expect(faultsOf(asks)).toEqual([{ path: ['schema'], message: expect.stringContaining(advice) }]),
  );

  test('has no option that does not exist: a misspelt one would ask someone else', () =>
    expect(faultsOf('https://pay.example/1', { ttl: 1, aproval: true, timeoutMs: 0 })).toEqual([
      { path: ['aproval'], message: 'There is no option aproval. Did you mean approval?' },
      { path: ['timeoutMs'], message: 'There is no option timeoutMs.' },
    ]));
});
