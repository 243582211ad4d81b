import { expect, test } from '@jest/globals';
import { voteBody } from '../../../web/src/requests/decide/use-decision.ts';

const digest = 'd'.repeat(64);
const decision = {
  comment: ' Only today. ',
  content: { sure: true },
  for: undefined,
  allowFor: null,
  shown: null,
  opened: [],
  typed: [],
};

test.each([
  ['approve', { action: 'accept', content: { sure: true } }],
  ['decline', { action: 'decline' }],
] as const)('%s is sent for the absent person, and for oneself without a name', (verb, sent) => {
  const body = { digest, comment: 'Only today.', ...sent };
  expect(voteBody({ digest, mode: 'form' }, { ...decision, verb })).toEqual(body);
  expect(voteBody({ digest, mode: 'form' }, { ...decision, verb, for: 'usr_1' })).toEqual({ ...body, for: 'usr_1' });
});

test('only an approval brings the proof of when it was shown', () => {
  const sent = (verb: 'approve' | 'decline') =>
    voteBody({ digest, mode: 'url' }, { ...decision, shown: 'proof', verb });
  expect([sent('approve').shown, sent('decline').shown]).toEqual(['proof', undefined]);
});

test('only an approval brings what was typed', () => {
  const sent = (verb: 'approve' | 'decline') =>
    voteBody({ digest, mode: 'form' }, { ...decision, typed: ['db-1'], verb });
  expect([sent('approve').typed, sent('decline').typed]).toEqual([['db-1'], undefined]);
});

test('only an approval stands for a while, and an address is approved without content', () => {
  const url = { digest, mode: 'url' } as const;
  const plain = { ...decision, comment: ' ', allowFor: 60_000 };
  expect(voteBody(url, { ...plain, verb: 'approve' })).toEqual({ digest, action: 'accept', allowFor: 60_000 });
  expect(voteBody(url, { ...plain, verb: 'decline' })).toEqual({ digest, action: 'decline' });
});
