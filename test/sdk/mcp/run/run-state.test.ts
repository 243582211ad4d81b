import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import type { IncomingCall } from '#sdk/mcp/question/call';
import {
  holdsClaim,
  howEnded,
  initialState,
  isToBeContinued,
  transition,
  type Claim,
  type End,
  type RunEvent,
  type RunState,
} from '#sdk/mcp/run/run';

/** `.`: nothing changes; `-`: impossible. */
const table = `
              asking   approved claiming claimed   refused releasing uncertain queued     reclaiming unused
ask           .        .        .        releasing .       .         releasing .          .          -
accept        approved .        .        .         .       .         .         .          .          .
released      -        -        -        -         -       approved  -         claiming   -          -
release-failed -       -        -        -         -       uncertain -         reclaiming -          -
claim         -        claiming .        .         .       queued    reclaiming .         .          -
claimed       -        -        claimed  -         -       -         -         -          claimed    -
claimed-elsewhere -    -        .        -         -       -         -         -          claiming   -
nothing-to-claim -     -        approved -         -       -         -         -          approved   -
claim-failed  -        -        refused  -         -       -         -         -          refused    -
claimed-unused -       unused   unused   -         unused  -         -         -          -          -
give-back     -        -        -        approved  -       -         approved  -          approved   -`;

const [header = '', ...rows] = table.trim().split('\n');
const claims = header.trim().split(/ +/) as Claim[];
const cells = rows.flatMap((row) => {
  const [type = '', ...nexts] = row.trim().split(/ +/);
  return nexts.map((next, at) => ({ claim: claims[at]!, event: { type } as RunEvent, next }));
});

const running: End = { at: 'running', leaving: 'none' };
const finished: End = { at: 'finished', leaving: 'none', isUnused: true };
const pending: End = { at: 'ended', how: 'pending' };
const afterEnd = ['give-back', 'claimed-unused'];

describe('what a run holds', () => {
  test('the table has every state and every event', () => {
    expect([claims.length, cells.length]).toEqual([10, 110]);
  });

  test('docs/architecture.md draws every change, and no other', () => {
    const [, diagram = ''] = readFileSync('docs/architecture.md', 'utf8').split('[*] --> asking\n');
    const drawn = diagram
      .split('```')[0]!
      .trim()
      .split(/\s*\n\s*/);
    const changes = cells.filter(({ next }) => next !== '.' && next !== '-');
    expect(drawn.toSorted()).toEqual(
      changes.map((cell) => `${cell.claim} --> ${cell.next}: ${cell.event.type}`).toSorted(),
    );
  });

  test.each(cells)('$claim on $event.type: $next', ({ claim, event, next }) => {
    const end = afterEnd.includes(event.type) ? finished : running;
    const state = { claim, end };
    const expected = next === '-' ? null : { claim: next === '.' ? claim : next, end };
    expect(transition(state, event)).toEqual(expected);
    if (next === '.') expect(transition(state, event)).toBe(state);
  });

  test.each(claims)('a run that is %s begins no claim once its caller has a result', (claim) => {
    for (const end of [pending, finished]) expect(transition({ claim, end }, { type: 'claim' })).toBeNull();
  });

  test.each(claims)('a run that is %s takes nothing for its end before the tool is over', (claim) => {
    for (const end of [running, pending]) {
      for (const type of ['give-back', 'claimed-unused'] as const)
        expect(transition({ claim, end }, { type })).toBeNull();
    }
  });

  test('only these hold a claim', () => {
    const holding = claims.filter((claim) => holdsClaim({ claim, end: running }));
    expect(holding).toEqual(['claimed', 'uncertain', 'reclaiming', 'unused']);
  });
});

const next = { args: {} } as IncomingCall;
const finish: RunEvent = { type: 'finish', isUnused: false };
const comesBack: RunEvent = { type: 'leave', mayComeBack: true };
const isGone: RunEvent = { type: 'leave', mayComeBack: false };
const endAs = (how: 'pending' | 'asked' | 'replayed'): RunEvent => ({ type: 'end', as: { at: 'ended', how } });
const restartWith = (call: IncomingCall): RunEvent => ({
  type: 'end',
  as: { at: 'ended', how: 'restarted', next: call },
});

const after = (...events: RunEvent[]): RunState =>
  events.reduce((state, event) => transition(state, event) ?? state, initialState);

test.each<{ name: string; events: RunEvent[]; how: string }>([
  { name: 'the tool returns', events: [finish], how: 'finished' },
  { name: 'its hold ends', events: [endAs('pending')], how: 'pending' },
  { name: 'the tool is thrown out and returns', events: [endAs('pending'), finish], how: 'pending' },
  { name: 'two questions end it', events: [endAs('asked'), endAs('replayed')], how: 'asked' },
  { name: 'a restart comes after a result', events: [endAs('pending'), restartWith(next)], how: 'pending' },
  { name: 'a result comes after a restart', events: [restartWith(next), endAs('pending')], how: 'restarted' },
  { name: 'a result comes too late', events: [finish, endAs('replayed')], how: 'finished' },
  { name: 'a restart comes too late', events: [finish, restartWith(next)], how: 'finished' },
  { name: 'the caller leaves a question that stays open', events: [comesBack, finish], how: 'detached' },
  { name: 'the caller leaves its own question', events: [isGone, finish], how: 'withdrawn' },
  { name: 'the caller leaves both', events: [comesBack, isGone, finish], how: 'withdrawn' },
  { name: 'the caller leaves both, the other way round', events: [isGone, comesBack, finish], how: 'withdrawn' },
  { name: 'questions are left when the tool is over', events: [finish, isGone], how: 'withdrawn' },
  { name: 'the caller leaves before its arguments are edited', events: [isGone, restartWith(next)], how: 'restarted' },
  { name: 'the caller leaves with a result', events: [endAs('replayed'), isGone], how: 'replayed' },
])('$name: $how', ({ events, how }) => {
  expect(howEnded(after(...events))).toBe(how);
});

test('the call goes on where it ended pending or asked, and in a run that continues it', () => {
  const ends = [endAs('pending'), endAs('asked'), restartWith({ ...next, continues: 'call_1' })];
  expect(ends.map((event) => isToBeContinued(after(event)))).toEqual([true, true, true]);
  const others = [[finish], [endAs('replayed')], [restartWith(next)], [isGone, finish], []];
  expect(others.map((events) => isToBeContinued(after(...events)))).toEqual([false, false, false, false, false]);
});

const ofClaim = [...new Set(cells.map((cell) => cell.event.type))].map((type) => ({ type }) as RunEvent);
const ofEnd = [endAs('pending'), endAs('asked'), endAs('replayed'), restartWith(next), comesBack, isGone, finish];
/** Ends are rare, so that most walks get far. */
const event = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...ofClaim) },
  { weight: 1, arbitrary: fc.constantFrom(...ofEnd) },
);
/** What acts, asks again and acts again. */
const typical = ['ask', 'accept', 'claim', 'claimed', 'ask', 'accept', 'claim', 'released', 'claimed'] as const;

/** Each event that was possible, with the state before it and after it. */
function walk(events: RunEvent[]): { before: RunState; event: RunEvent; now: RunState }[] {
  let before = initialState;
  return events.flatMap((current) => {
    const now = transition(before, current);
    if (now === null) return [];
    const step = { before, event: current, now };
    before = now;
    return [step];
  });
}

const forAnyWalk = (check: (steps: ReturnType<typeof walk>) => void): void =>
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => check(walk(events))),
    { numRuns: 2_000, examples: [[[...typical.map((type) => ({ type })), finish]]] },
  );

describe('in any order of events', () => {
  test('nothing acts that was not accepted and then claimed', () => {
    forAnyWalk((steps) => {
      steps.forEach(({ before, event: { type }, now }, at) => {
        if (now.claim !== 'claimed' || before.claim === 'claimed') return;
        expect(type).toBe('claimed');
        const earlier = steps.slice(0, at).map((step) => step.event.type);
        const claim = earlier.lastIndexOf('claim');
        expect(earlier.indexOf('accept')).toBeGreaterThanOrEqual(0);
        expect(claim).toBeGreaterThan(earlier.indexOf('accept'));
      });
    });
  });

  test('one claim is answered once, and what was released is claimed again before anything acts', () => {
    forAnyWalk((steps) => {
      let isUnderWay = false;
      for (const {
        before,
        event: { type },
        now,
      } of steps) {
        if (type === 'claim') isUnderWay ||= now !== before;
        if (type === 'claimed') expect(isUnderWay).toBe(true);
        if (['claimed', 'claim-failed', 'nothing-to-claim'].includes(type)) isUnderWay = false;
      }
    });
  });

  test('a claim counts as held only from the word of Assentry until it is ended', () => {
    const ending = ['released', 'give-back', 'claimed-elsewhere', 'nothing-to-claim', 'claim-failed'];
    forAnyWalk((steps) => {
      let mayHold = false;
      for (const {
        event: { type },
        now,
      } of steps) {
        if (type === 'claimed' || type === 'claimed-unused') mayHold = true;
        if (ending.includes(type)) mayHold = false;
        if (holdsClaim(now)) expect(mayHold).toBe(true);
      }
    });
  });

  test('the caller gets one result, and no claim begins after it', () => {
    forAnyWalk((steps) => {
      const over = steps.findIndex(({ now }) => now.end.at !== 'running');
      if (over === -1) return;
      const { end } = steps[over]!.now;
      const later = steps.slice(over);
      expect(later.filter(({ now }) => now.end.at !== end.at || (end.at === 'ended' && now.end !== end))).toEqual([]);
      expect(later.filter((step) => step.event.type === 'claim')).toEqual([]);
    });
  });

  test('every state of a claim can be reached', () => {
    const reached = new Map<string, RunState>([['asking', initialState]]);
    for (const state of reached.values()) {
      for (const current of [...ofClaim, finish]) {
        const now = transition(state, current);
        if (now) reached.set(`${now.claim} ${now.end.at}`, now);
      }
    }
    expect([...new Set([...reached.values()].map(({ claim }) => claim))].toSorted()).toEqual([...claims].toSorted());
  });
});
