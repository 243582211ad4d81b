import { describe, expect, test } from '@jest/globals';
import { readPastedCall } from '#requests/facts/contract/confirmation';
import { faultsOf, requestOf } from '../../../web/src/policies/CallTrial.tsx';

describe('a pasted text', () => {
  const call = { name: 'pay', arguments: { amount: 5 } };

  test.each([
    ['the whole message', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, 'pay', { amount: 5 }],
    ['its params', call, 'pay', { amount: 5 }],
    ['its params and more', { ...call, _meta: { progressToken: 1 } }, 'pay', { amount: 5 }],
    ['a call without arguments', { method: 'tools/call', params: { name: 'pay' } }, 'pay', {}],
    ['the arguments alone', { amount: 5 }, null, { amount: 5 }],
    ['arguments with a name', { name: 'Bob' }, null, { name: 'Bob' }],
    ['arguments with a method', { method: 'cash' }, null, { method: 'cash' }],
  ])('is %s', (_what, value, tool, values) => {
    expect(readPastedCall(JSON.stringify(value, null, 2))).toEqual({ tool, arguments: values });
  });

  test.each([
    ['{', 'json'],
    ['', 'json'],
    ['[]', 'object'],
    ['"pay"', 'object'],
    ['null', 'object'],
    ['{"jsonrpc":"2.0","method":"tools/list"}', 'message'],
  ])('%j is none', (text, fault) => {
    expect(readPastedCall(text)).toBe(fault);
  });
});

const draft = { text: '{"amount":5}', server: ' bank ', tool: ' pay ', hint: 'destroys', requester: ' ada ' } as const;

test('what is missing is said at its field, one fault of the text first', () => {
  expect(faultsOf(draft)).toEqual({});
  expect(faultsOf({ ...draft, server: ' ', tool: '' })).toEqual({ server: 'server', tool: 'tool' });
  expect(faultsOf({ ...draft, text: '{"name":"pay","arguments":{}}', tool: '' })).toEqual({});
  expect(faultsOf({ ...draft, text: '{', server: '' })).toEqual({ text: 'json' });
});

test('it becomes the request that it would be: who is named counts as checked', () => {
  expect(requestOf(draft)).toEqual({
    name: 'call',
    server: 'bank',
    tool: 'pay',
    arguments: { amount: 5 },
    annotations: { readOnlyHint: false, destructiveHint: true },
    requester: { subject: 'ada', verified: true },
  });
  expect(requestOf({ ...draft, requester: '' })).not.toHaveProperty('requester');
  expect(requestOf({ ...draft, text: '{"name":"wire","arguments":{}}' })).toMatchObject({
    tool: 'wire',
    arguments: {},
  });
});
