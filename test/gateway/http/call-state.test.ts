import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { hasRun, initialCall, transition, type CallEvent, type CallState } from '#gateway/http/call';

const events: CallEvent[] = ['forward', 'answer', 'cancel', 'disconnect', 'end', 'lose'];
const leave = (why: 'cancel' | 'disconnect' | 'end', isRun: boolean): CallState => ({
  at: 'left',
  why,
  hasRun: isRun,
});
const answered = (isRun: boolean): CallState => ({ at: 'answered', hasRun: isRun });

type Row = [state: CallState, ...nexts: (CallState | '.' | '-')[]];

/** What each event, in the order of `events`, makes of each state. `.`: nothing changes; `-`: impossible. */
const rows: Row[] = [
  [
    { at: 'held' },
    { at: 'forwarded' },
    answered(false),
    leave('cancel', false),
    leave('disconnect', false),
    leave('end', false),
    { at: 'lost' },
  ],
  [{ at: 'forwarded' }, '-', answered(true), leave('cancel', true), leave('disconnect', true), leave('end', true), '.'],
  [{ at: 'lost' }, '-', '.', '.', '.', '.', '.'],
  ...[false, true].flatMap((isRun): Row[] => [
    [answered(isRun), '-', '.', '.', '.', '.', '.'],
    [leave('cancel', isRun), '-', '.', '.', '.', leave('end', isRun), '.'],
    [leave('disconnect', isRun), '-', '.', '.', '.', leave('end', isRun), '.'],
    [leave('end', isRun), '-', answered(isRun), '.', '.', '.', '.'],
  ]),
];

const cells = rows.flatMap(([state, ...nexts]) => nexts.map((next, at) => ({ state, event: events[at]!, next })));

test('the table has every state and every event', () => {
  expect([rows.length, cells.length]).toEqual([11, 66]);
});

test.each(cells)('$state on $event: $next', ({ state, event, next }) => {
  const result = transition(state, event);
  if (next === '.') expect(result).toBe(state);
  else expect(result).toEqual(next === '-' ? null : next);
});

test('docs/architecture.md draws every change from one state to another', () => {
  const [, diagram = ''] = readFileSync('docs/architecture.md', 'utf8').split('[*] --> held\n');
  const drawn = diagram
    .split('```')[0]!
    .trim()
    .split(/\s*\n\s*/)
    .flatMap((line) => {
      const [arrow = '', labels = ''] = line.split(': ');
      return labels
        .split(', if')[0]!
        .split(', ')
        .map((event) => `${arrow}: ${event}`);
    });
  const changes = cells.flatMap(({ state, event, next }) =>
    typeof next === 'string' || next.at === state.at ? [] : [`${state.at} --> ${next.at}: ${event}`],
  );
  expect(drawn.toSorted()).toEqual([...new Set(changes)].toSorted());
});

test('only what was forwarded has run', () => {
  const running = rows.map(([state]) => state).filter(hasRun);
  expect(running).toEqual([
    { at: 'forwarded' },
    answered(true),
    leave('cancel', true),
    leave('disconnect', true),
    leave('end', true),
  ]);
});

/** Each event that was possible, with the state before it and after it. */
function walk(sequence: CallEvent[]): { before: CallState; event: CallEvent; now: CallState }[] {
  let before = initialCall;
  return sequence.flatMap((event) => {
    const now = transition(before, event);
    if (now === null) return [];
    const step = { before, event, now };
    before = now;
    return [step];
  });
}

const forAnyWalk = (check: (steps: ReturnType<typeof walk>) => void): void =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (sequence) => check(walk(sequence))),
    { numRuns: 2_000, examples: [[['forward', 'cancel', 'end', 'answer', 'lose']], [['lose', 'cancel', 'answer']]] },
  );

describe('in any order of events', () => {
  test('a call is forwarded once at most, and has run from then on', () => {
    forAnyWalk((steps) => {
      const forwards = steps.filter(({ event }) => event === 'forward');
      expect(forwards.length).toBeLessThanOrEqual(1);
      const first = steps.findIndex(({ event }) => event === 'forward');
      expect(steps.every(({ now }, at) => hasRun(now) === (first !== -1 && at >= first))).toBe(true);
    });
  });

  test('its client gets one answer at most', () => {
    forAnyWalk((steps) => {
      const answers = steps.filter(({ before, now }) => now !== before && ['answered', 'lost'].includes(now.at));
      expect(answers.length).toBeLessThanOrEqual(1);
    });
  });

  test('nothing is forwarded after it was lost, left or answered', () => {
    forAnyWalk((steps) => {
      const over = steps.findIndex(({ now }) => ['lost', 'left', 'answered'].includes(now.at));
      expect(over === -1 ? [] : steps.slice(over).filter(({ event }) => event === 'forward')).toEqual([]);
    });
  });

  test('what has run is never lost, and what is lost stays so', () => {
    forAnyWalk((steps) => {
      const lost = steps.findIndex(({ now }) => now.at === 'lost');
      if (lost === -1) return;
      expect(hasRun(steps[lost]!.before)).toBe(false);
      expect(steps.slice(lost).every(({ now }) => now.at === 'lost')).toBe(true);
    });
  });
});
