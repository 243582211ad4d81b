import { expect, test } from '@jest/globals';
import { problemOf } from '#sdk/client/transport';
import { Problem } from '#platform/model/problem';
import { InvalidInputError } from '#sdk/mcp/question/errors';
import { identifyCaller } from '#sdk/mcp/tools/principal';
import { isToolResult, problemResult } from '#sdk/mcp/question/result';

test('F-48 an invalid answer reads the same way as an invalid tool input', () => {
  const details = [{ path: ['age'], message: 'Expected number, received string' }];
  const result = problemResult(new InvalidInputError(details));
  expect(result.content).toEqual([
    { type: 'text', text: `Invalid elicitation result content\nDetails: ${JSON.stringify(details)}` },
  ]);
  expect(result).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
});

test('a problem of the orchestrator keeps the id under which it was logged', () => {
  const document = { type: 'x', title: 'No', status: 409, code: 'not-now', errorId: 'err_00000000000000aa' };
  expect(problemResult(problemOf(409, document))._meta).toEqual({ code: 'not-now', errorId: 'err_00000000000000aa' });
});

test('each problem from here gets its own id', () => {
  const ids = [1, 2].map(() => problemResult(new Problem('unavailable'))._meta?.['errorId']);
  expect(ids[0]).toMatch(/^err_[0-9a-f]{16}$/);
  expect(ids[0]).not.toBe(ids[1]);
});

test.each([
  { value: { content: [] }, is: true },
  { value: { content: 'text' }, is: false },
  { value: null, is: false },
  { value: 'content', is: false },
])('$value as a kept result: $is', ({ value, is }) => {
  expect(isToolResult(value)).toBe(is);
});

test.each([
  { facts: {}, principal: { subject: 'client:unknown', verified: false } },
  { facts: { clientName: 'agent' }, principal: { subject: 'client:agent', verified: false } },
  {
    facts: { authInfo: { clientId: 'app' }, clientName: 'agent' },
    principal: { subject: 'client:app', verified: false },
  },
  {
    facts: { authInfo: { clientId: 'app', extra: { sub: 'ada' } } },
    principal: { subject: 'ada', verified: true },
  },
  {
    facts: { authInfo: { clientId: 'app', extra: { sub: 7 } } },
    principal: { subject: 'client:app', verified: false },
  },
])('the caller with $facts is $principal', ({ facts, principal }) => {
  expect(identifyCaller(facts)).toEqual(principal);
});
