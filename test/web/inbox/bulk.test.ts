import { describe, expect, test } from '@jest/globals';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { argumentCells, sortBulk } from '../../../web/src/requests/inbox/bulk.ts';
import { tableOfCalls } from '../../../web/src/ui/ListTable.tsx';

const request = (changes: object = {}): ElicitationDetail =>
  ({
    server: 'bank',
    tool: { name: 'transfer' },
    policy: { name: 'small@1', terms: [] as ElicitationDetail['policy']['terms'] },
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
    ['other-policy', { policy: { name: 'small@2', terms: [] } }],
    ['form', { schema: { type: 'object', properties: { a: { type: 'string' } } } }],
    ['url', { mode: 'url' }],
    ['proof', { policy: { name: 'small@1', terms: [{ kind: 'presence', needed: 'fresh-sign-in' }] } }],
    ['typed', { policy: { name: 'small@1', terms: [{ kind: 'confirmation', path: 'to', text: null }] } }],
    ['long', { arguments: JSON.stringify({ text: 'x'.repeat(5_000) }) }],
    ['long', { arguments: '{"b":1,"a":2}' }],
  ])('%s cannot', (why, changes) => {
    expect(apart(changes)).toEqual([why]);
  });
});

test('all that the person has a vote on can be declined together', () => {
  const unlike = [request(), request({ risk: 'high' }), request({ tool: { name: 'pay' } }), request({ mode: 'url' })];
  const over = request({ can: { vote: { allowed: false, reason: 'You have already voted.' } } });
  expect(sortBulk([...unlike, over]).declinable).toEqual(unlike);
});

test('what all share stands once, and what differs is a column', () => {
  const calls = ['{"a":1,"b":{"c":"x"}}', '{"a":1,"b":{"c":"y"}}', '{"a":1,"b":{"c":"y"},"d":true}'];
  const table = tableOfCalls(calls.map((json) => argumentCells({ arguments: json })));
  expect([table.constants, table.columns]).toEqual([[{ column: 'a', value: 1 }], ['b.c', 'd']]);
});

test.each([
  ['what is missing and what is null', '{"a":null}', '{}'],
  ['an empty list and one with a member', '{"a":[]}', '{"a":[1]}'],
  ['a name with a point and a group', '{"a":{"b":1}}', '{"a.b":1}'],
  ['an empty list and a name that looks like one', '{"a.":[]}', '{"a.[]":0}'],
  ['an empty list and its text', '{"a":[]}', '{"a":"[0]"}'],
  ['an empty group and an empty list', '{"a":{}}', '{"a":[]}'],
  ['a number and its text', '{"a":1}', '{"a":"1"}'],
])('%s differ', (_what, ...calls) => {
  const table = tableOfCalls(calls.map((json) => argumentCells({ arguments: json })));
  expect(table.constants).toEqual([]);
  expect(table.columns.length).toBeGreaterThan(0);
});

test('no argument hides another one whose path reads the same', () => {
  expect(argumentCells({ arguments: '{"to":{"iban":"A"},"to.iban":"B"}' })).toEqual({
    'to.iban': 'A',
    '/to.iban': 'B',
  });
  expect(argumentCells({ arguments: '{"/a":{"b":1},"a.b":2}' })).toEqual({ '/~1a/b': 1, '/a.b': 2 });
});

test('arguments stand in the order of the caller', () => {
  const cells = argumentCells({ arguments: '{"amount":1,"to":"A"}', keyOrders: [['to', 'amount']] });
  expect(Object.keys(cells)).toEqual(['to', 'amount']);
});

test('how many members a list has is no amount', () => {
  const calls = ['{"amount":2,"to":["a","b"],"with":[]}', '{"amount":3,"to":["c","d"],"with":[]}'];
  const table = tableOfCalls(calls.map((json) => argumentCells({ arguments: json })));
  expect(table.sums).toEqual([{ column: 'amount', sum: '5' }]);
  expect(table.constants).toEqual([{ column: 'with[]', value: 0 }]);
});
