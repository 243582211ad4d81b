import { describe, expect, test } from '@jest/globals';
import type { ElicitationDetail } from '../../../src/contract/console/console.ts';
import { differingPaths, sortBulk } from '../../../web/src/pages/inbox/bulk.ts';

const request = (changes: object = {}): ElicitationDetail =>
  ({
    server: 'bank',
    tool: { name: 'transfer' },
    policy: { name: 'small@1' },
    risk: 'medium',
    mode: 'form',
    schema: { type: 'object', properties: {} },
    arguments: '{"amount":5}',
    can: { vote: { allowed: true, refusal: null } },
    ...changes,
  }) as ElicitationDetail;

const apart = (changes: object) => sortBulk([request(), request(changes)]).apart.map(({ why }) => why);

describe('what can be decided with one press', () => {
  test('equal tools under one policy can', () => {
    const { together, apart: alone } = sortBulk([request(), request({ risk: 'low' }), request({ schema: null })]);
    expect([together.length, alone.length]).toEqual([3, 0]);
  });

  test.each([
    ['high-risk', { risk: 'high' }],
    ['not-mine', { can: { vote: { allowed: false, reason: 'You have already voted.' } } }],
    ['other-tool', { tool: { name: 'pay' } }],
    ['other-tool', { server: 'vault' }],
    ['other-policy', { policy: { name: 'small@2' } }],
    ['form', { schema: { type: 'object', properties: { a: { type: 'string' } } } }],
    ['url', { mode: 'url' }],
    ['long', { arguments: JSON.stringify({ text: 'x'.repeat(5_000) }) }],
    ['long', { arguments: '{"b":1,"a":2}' }],
  ])('%s cannot', (why, changes) => {
    expect(apart(changes)).toEqual([why]);
  });
});

test('what differs between them is told by its path, what all share is not', () => {
  const calls = ['{"a":1,"b":{"c":"x"}}', '{"a":1,"b":{"c":"y"}}', '{"a":1,"b":{"c":"y"},"d":true}'];
  expect([...differingPaths(calls.map((json) => request({ arguments: json })))]).toEqual(['b.c', 'd']);
});
