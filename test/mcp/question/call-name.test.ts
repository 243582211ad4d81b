import { describe, expect, test } from '@jest/globals';
import { nameCall, plainArguments, type CallFacts } from '#sdk/mcp/question/call-name';

const facts: CallFacts = {
  audience: 'approvers',
  requester: { subject: 'ada', verified: true },
  session: 's1',
  tool: { name: 'transfer', schemaDigest: 'a'.repeat(64), annotations: { readOnlyHint: false } },
  arguments: { to: 'DE', amount: 1 },
};

describe('the name of a call', () => {
  test('is the same whatever the order of the arguments', async () => {
    expect(await nameCall(facts)).toBe(await nameCall({ ...facts, arguments: { amount: 1, to: 'DE' } }));
    expect(await nameCall(facts)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('outlives its session for approvers, and not for the requester', async () => {
    expect(await nameCall({ ...facts, session: 's2' })).toBe(await nameCall(facts));
    const request = { ...facts, audience: 'requester' as const };
    expect(await nameCall({ ...request, session: 's2' })).not.toBe(await nameCall(request));
  });

  test.each<{ what: string; change: Partial<CallFacts> }>([
    { what: 'principal', change: { requester: { subject: 'eve', verified: true } } },
    { what: 'proof of the principal', change: { requester: { subject: 'ada', verified: false } } },
    { what: 'issuer', change: { requester: { subject: 'ada', verified: true, issuer: 'https://id.example' } } },
    { what: 'agent', change: { requester: { subject: 'ada', verified: true, client: { name: 'agent' } } } },
    { what: 'tool', change: { tool: { ...facts.tool, name: 'transfer2' } } },
    { what: 'schema', change: { tool: { ...facts.tool, schemaDigest: 'b'.repeat(64) } } },
    { what: 'title', change: { tool: { ...facts.tool, title: 'Transfer at once' } } },
    { what: 'description', change: { tool: { ...facts.tool, description: 'Transfers everything.' } } },
    { what: 'hint', change: { tool: { ...facts.tool, annotations: { readOnlyHint: true } } } },
    { what: 'arguments', change: { arguments: { to: 'DE', amount: 2 } } },
    { what: 'type of an argument', change: { arguments: { to: 'DE', amount: '1' } } },
    { what: 'audience', change: { audience: 'requester' } },
  ])('is another for another $what', async ({ change }) => {
    expect(await nameCall({ ...facts, ...change })).not.toBe(await nameCall(facts));
  });

  test('does not run its parts together', async () => {
    const item = { ...facts, requester: { subject: 'a', verified: false }, tool: { name: 'bc' } };
    const two = { ...facts, requester: { subject: 'ab', verified: false }, tool: { name: 'c' } };
    expect(await nameCall(item)).not.toBe(await nameCall(two));
  });
});

describe('the arguments an approver reads', () => {
  test('are what JSON makes of them', () => {
    const at = new Date('2026-03-31T00:00:00Z');
    expect(plainArguments({ at, gone: undefined, list: [1, null, { deep: true }] })).toEqual({
      at: '2026-03-31T00:00:00.000Z',
      list: [1, null, { deep: true }],
    });
    expect(plainArguments(undefined)).toEqual({});
  });

  test.each([
    { what: 'a map', args: { a: new Map([['to', 'mallory']]) } },
    { what: 'a set', args: { a: [new Set(['mallory'])] } },
    { what: 'bytes', args: { a: new Uint8Array(3) } },
    { what: 'a big integer', args: { a: 1n } },
    { what: 'a function', args: { a: () => 'mallory' } },
    { what: 'a number JSON has no word for', args: { a: Number.NaN } },
  ])('never hide $what', ({ args }) => {
    expect(() => plainArguments(args)).toThrowProblem('INVALID_INPUT');
  });
});
