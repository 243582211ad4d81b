import { expect, test } from '@jest/globals';
import { drawFrom } from '../support/draw.ts';
import { isThere } from '../mutation/fault.ts';
import { brokenClaim } from './broken-build.ts';
import { check } from './checker.ts';
import { drawFaults, nameFault } from './faults.ts';
import type { FinalState } from './final-state.ts';
import type { Event } from './history.ts';

/** One request of two processes: both ask, one runs it. */
const good: Event[] = [
  { kind: 'began', name: 'one' },
  { kind: 'opened', name: 'one', by: 'first', id: 'eli_1', toolCall: 'call_1', deadlineAt: 1000 },
  { kind: 'opened', name: 'one', by: 'second', id: 'eli_1', toolCall: 'call_1', deadlineAt: 1000 },
  { kind: 'voted', id: 'eli_1', user: 'ada', action: 'accept', status: 200, code: null },
  { kind: 'voted', id: 'eli_1', user: 'bob', action: 'decline', status: 409, code: 'already-closed' },
  { kind: 'heard', id: 'eli_1', by: 'first', status: 'accepted' },
  { kind: 'heard', id: 'eli_1', by: 'second', status: 'accepted' },
  { kind: 'claimed', toolCall: 'call_1', attempt: 'a', answer: 'claimed' },
  { kind: 'claimed', toolCall: 'call_1', attempt: 'b', answer: 'running' },
  { kind: 'ran', toolCall: 'call_1', attempt: 'a' },
  { kind: 'completed', toolCall: 'call_1', attempt: 'a' },
  { kind: 'ended', name: 'one' },
];
const final: FinalState = {
  requests: [{ id: 'eli_1', status: 'accepted' }],
  votes: [{ id: 'eli_1', user: 'ada', action: 'accept' }],
  calls: [{ id: 'call_1', state: 'settled', attempt: 'a' }],
  claims: [{ toolCall: 'call_1', attempt: 'a' }],
  fault: null,
  waiting: 0,
};

const brokenIn = (events: Event[], state: FinalState): string[] =>
  check(
    events.map((event) => ({ at: 0, ...event })),
    state,
  )
    .filter(({ violations }) => violations.length > 0)
    .map(({ rule }) => rule);

test('a history in which every promise is kept has no violation, and each rule looked at it', () => {
  expect(brokenIn(good, final)).toEqual([]);
  expect(brokenIn([], { requests: [], votes: [], calls: [], claims: [], fault: null, waiting: 0 })).toEqual([]);
});

const [, opened, , , , heard] = good as [Event, Event, Event, Event, Event, Event];

test.each<[string, string, Event[], Partial<FinalState>]>([
  ['two requests of one name', 'one request for each name', [{ ...opened, id: 'eli_2' } as Event], {}],
  ['another outcome', 'one outcome for each request', [{ ...heard, status: 'declined' } as Event], {}],
  [
    'a second run',
    'at most one execution, and only if approved',
    [{ kind: 'ran', toolCall: 'call_1', attempt: 'b' }],
    {},
  ],
  [
    'a run without a claim',
    'at most one execution, and only if approved',
    [{ kind: 'ran', toolCall: 'call_2', attempt: 'b' }],
    {},
  ],
  ['a lost vote', 'what was acknowledged is stored', [], { votes: [] }],
  ['a lost request', 'what was acknowledged is stored', [], { requests: [] }],
  ['a lost claim', 'what was acknowledged is stored', [], { claims: [] }],
  ['a lost end', 'what was acknowledged is stored', [], { calls: [{ id: 'call_1', state: 'open', attempt: null }] }],
  ['a deaf caller', 'every outcome reached its callers', [{ ...opened, by: 'third' } as Event], {}],
  ['an early end', 'nothing expires early', [{ ...heard, status: 'expired' } as Event], {}],
  ['a wrong log', 'the log is whole and equals the rows', [], { fault: 'The log was changed.' }],
  ['a call claimed twice', 'the log is whole and equals the rows', [], { claims: [...final.claims, ...final.claims] }],
  ['a caller that waits for ever', 'nothing is pending', [{ kind: 'began', name: 'two' }], {}],
  ['an open row', 'nothing is pending', [], { requests: [{ id: 'eli_1', status: 'open' }] }],
  [
    'a call that no one completed',
    'nothing is pending',
    [],
    { calls: [{ id: 'call_1', state: 'claimed', attempt: 'a' }] },
  ],
  ['an entry without a place', 'nothing is pending', [], { waiting: 1 }],
  [
    'a refusal',
    'every fault is answered as a fault',
    [{ kind: 'refused', name: 'one', verb: 'open', code: 'internal' }],
    {},
  ],
])('%s breaks its rule: %s', (_what, rule, more, state) => {
  expect(brokenIn([...good, ...more], { ...final, ...state })).toContain(rule);
});

test('a request that no caller was told of breaks a rule', () => {
  const stray = { ...final, requests: [...final.requests, { id: 'eli_2', status: 'declined' }] };
  expect(brokenIn(good, stray)).toEqual(['one request for each name']);
});

test('the same seed draws the same faults, and none comes again before all of its kind have come', () => {
  const drawn = drawFaults(drawFrom(7), 40, ['kill', 'restart']);
  expect(drawFaults(drawFrom(7), 40, ['kill', 'restart'])).toEqual(drawn);
  expect(drawFaults(drawFrom(8), 40, ['kill', 'restart'])).not.toEqual(drawn);
  const kills = drawn.filter(({ kind }) => kind === 'kill');
  expect(new Set(kills.map((fault) => `${nameFault(fault)} ${fault.place}`)).size).toBe(20);
});

test('the broken build can still be made', () => {
  expect(isThere(brokenClaim)).toBe(true);
});
