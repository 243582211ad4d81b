import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { FormSchema } from '#platform/form/schema';
import { readQuestion, type Asks, type ModeOptions } from '#sdk/mcp/question/question';

const confirm = z.object({ confirmed: z.boolean().describe('Really?') });
const asJson: FormSchema = {
  type: 'object',
  properties: { confirmed: { type: 'boolean', description: 'Really?' } },
  required: ['confirmed'],
};
const profile: FormSchema = {
  type: 'object',
  title: 'Profile',
  properties: {
    name: { type: 'string', description: 'Full name' },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', default: 18 },
  },
  required: ['name', 'email'],
};
const address = 'https://pay.example/1';

describe('the second thing given to elicit() says what is asked', () => {
  test.each<[string, Asks, ModeOptions, object]>([
    ['a zod form', confirm, {}, { mode: 'form', schema: asJson }],
    ['a zod form with the mode it has anyway', confirm, { mode: 'form' }, { mode: 'form', schema: asJson }],
    ['a JSON schema', asJson, {}, { mode: 'form', schema: asJson }],
    ['a JSON schema with a title, a format and a default', profile, {}, { mode: 'form', schema: profile }],
    ['an address', address, {}, { mode: 'url', url: address, schema: undefined }],
    ['a URL', new URL(address), {}, { mode: 'url', url: address, schema: undefined }],
    ['an address with a token', address, { elicitationId: 't' }, { mode: 'url', url: address, elicitationId: 't' }],
    ['a form and an address', confirm, { url: address }, { mode: 'url', url: address, schema: asJson }],
    [
      'a form in URL mode, without address or token',
      confirm,
      { mode: 'url' },
      { mode: 'url', url: undefined, elicitationId: undefined, schema: asJson },
    ],
  ])('M-07, F-127: %s', (_what, asks, options, expected) => {
    expect(readQuestion('Why?', asks, options)).toMatchObject({ message: 'Why?', ...expected });
  });

  test('M-20: an answer is read by the zod form where there is one, and else by the JSON schema', () => {
    const loud = z.object({ word: z.string().transform((word) => word.toUpperCase()) });
    expect(readQuestion('Word?', loud).read({ word: 'yes' })).toEqual({
      form: { word: 'yes' },
      value: { word: 'YES' },
    });
    const plain = readQuestion('Who?', profile);
    expect(plain.read({ name: 'Ada', email: 'ada@example.com' }).value).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
    });
    expect(() => plain.read({ name: 'Ada' })).toThrowProblem('INVALID_INPUT');
  });
});
