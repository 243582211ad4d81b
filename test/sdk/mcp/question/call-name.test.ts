import { describe, expect, test } from '@jest/globals';
import { nameCall, plainArguments, type CallFacts } from '#sdk/mcp/question/call';

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

class Payee {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  get name(): string {
    return this.#name;
  }
}

const cycle: Record<string, unknown> = { again: {} };
Object.assign(cycle['again'] as object, { itself: cycle });

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
    { what: 'a map', value: new Map([['to', 'mallory']]) },
    { what: 'a set', value: new Set(['mallory']) },
    { what: 'bytes', value: new Uint8Array(3) },
    { what: 'a big integer', value: 1n },
    { what: 'a function', value: () => 'mallory' },
    { what: 'a symbol', value: Symbol('mallory') },
    { what: 'a number JSON has no word for', value: Number.NaN },
    { what: 'what an instance of a class keeps to itself', value: new Payee('mallory') },
    { what: 'what contains itself', value: cycle },
  ])('never hide $what, and the error says where it is', ({ value }) => {
    const args = { plain: { a: [{}, { b: 1 }] }, to: [{ b: 1 }, { 'the name': value }], later: { c: 1 } };
    const place = ['to', 1, 'the name', ...(value === cycle ? ['again', 'itself'] : [])];
    const message = `Use arguments that JSON can express: people could not see these (${place.join('.')}).`;
    expect(() => plainArguments(args)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message, errors: [expect.objectContaining({ path: place })] }),
    );
  });

  test('may have the same part twice', () => {
    const part = { a: [1] };
    expect(plainArguments({ from: part, to: [part, part] })).toEqual({ from: part, to: [part, part] });
  });
});
