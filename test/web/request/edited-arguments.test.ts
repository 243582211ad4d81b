import { expect, test } from '@jest/globals';
import type { FormSchema } from '#platform/form/schema';
import { changedArguments, draftArguments } from '../../../web/src/requests/decide/WhatRuns.tsx';

const schema: FormSchema = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    urgent: { type: 'boolean' },
    to: { type: 'string' },
    note: { type: 'string' },
  },
};
const call = '{"amount":12400,"from":"DE02","note":{"a":1},"to":"Ada","urgent":true}';

test('the controls begin with what the call has, and stay empty where that is of another kind', () => {
  expect(draftArguments(schema, call)).toEqual({ amount: '12400', urgent: 'true', to: 'Ada', note: '' });
});

test('only what differs is sent', () => {
  expect(changedArguments({ amount: 9000, urgent: true, to: 'Ada' }, call)).toEqual({ amount: 9000 });
  expect(changedArguments({ amount: 12400 }, call)).toEqual({});
});
