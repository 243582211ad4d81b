import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEvent } from '#connect/events/rules/read';
import { sampleEvent } from '#connect/events/rules/sample';
import { valueAt, withValue } from '#connect/providers/pointer';
import { Provider, type ProviderInput } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { Events } from '#connect/providers/signed-events';
import { runs } from '../../support/runs.ts';

const now = 1_700_000_000_000;
const reference = `as_${'r'.repeat(22)}`;
const name = 'assentry-test-1';
const described = [...presets].filter(([, { events }]) => events !== undefined);
const eventsOf = (provider: ProviderInput): Events => Provider.parse(provider).events as Events;
const secrets: Record<string, string> = {
  plain: 'a plain secret of one',
  hex: 'ab'.repeat(32),
  base64: 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQh',
};
const readerOf = (events: Events) => ({
  events,
  signingSecrets: [secrets[events.signed.keyText] ?? '', 'older'],
  accounts: ['acct_1'],
});

describe('a test event', () => {
  test.each(described)('of %s is signed as its own, has the reference, and means nothing', (_, provider) => {
    const reader = readerOf(eventsOf(provider));
    const event = sampleEvent(reader, { name, reference }, now);
    if (!event) throw new TypeError('there is none');
    const bytes = Buffer.from(event.body);
    expect(readEvent(reader, bytes, event.headers, now)).toMatchObject({
      state: 'read',
      event: { id: event.id, verdict: 'nothing', reference, facts: {} },
    });
    const other = { ...reader, signingSecrets: ['older'] };
    expect(readEvent(other, bytes, event.headers, now).state).toBe('refused');
  });

  test('of no description means anything, whatever its rules are', () => {
    const base = eventsOf(presets.get('stripe') as ProviderInput);
    const pointer = fc.constantFrom('/id', '/data/object/client_reference_id', '/type', '/data', '/other');
    const value = fc.constantFrom<string | null | boolean>(name, reference, 'paid', '', null, true);
    const when = fc.dictionary(pointer, fc.oneof(value, fc.array(value, { minLength: 1 })), { minKeys: 1 });
    const rule = fc.record({ when, verdict: fc.constantFrom('accept', 'decline', 'cancel', 'pending') });
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1 }), (rules) => {
        const facts = { amount: '/amount', currency: '/currency' };
        const events = Events.parse({ ...base, rules: rules.map((each) => ({ ...each, facts })) });
        const event = sampleEvent(readerOf(events), { name, reference }, now);
        if (!event) return;
        const read = readEvent(readerOf(events), Buffer.from(event.body), event.headers, now);
        expect(read).toMatchObject({ event: { verdict: 'nothing' } });
      }),
      { numRuns: runs(500) },
    );
  });

  test('is none if a rule would hold for it', () => {
    const base = eventsOf(presets.get('stripe') as ProviderInput);
    const rules = [{ when: { '/id': name }, verdict: 'decline' as const, facts: {}, minor: false }];
    expect(sampleEvent(readerOf({ ...base, rules }), { name, reference }, now)).toBeNull();
  });
});

test.each([
  ['/a', {}, { a: 1 }],
  ['/a/0/b', {}, { a: [{ b: 1 }] }],
  ['/a/b', { a: 'text', c: 2 }, { a: { b: 1 }, c: 2 }],
  ['/a~1b/~0', { 'a/b': { c: 2 } }, { 'a/b': { c: 2, '~': 1 } }],
])('a value put at %s is found there', (pointer, document, expected) => {
  const changed = withValue(document, pointer, 1);
  expect(changed).toEqual(expected);
  expect(valueAt(changed, pointer)).toBe(1);
});
