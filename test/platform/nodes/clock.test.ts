import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClock } from '#platform/nodes/verbs/clock';

/** A machine and a database whose clocks a test moves. */
function machines({ ahead }: { ahead: number }) {
  const state = { elapsed: 1000.5, ahead };
  const start = Date.parse('2026-11-22T12:00:00Z');
  const clock = createClock({
    elapsed: () => state.elapsed,
    time: () => start + Math.trunc(state.elapsed) + state.ahead,
  });
  const database = () => start + state.elapsed;
  /** The database looks at its clock `there` after the question; the answer arrives `back` later. */
  const ask = (there: number, back: number) =>
    clock.follow(async () => {
      state.elapsed += there;
      const at = database();
      state.elapsed += back;
      return { at };
    });
  return { state, clock, database, ask };
}

test('before it has asked, a clock can only go by its machine', () => {
  const { clock, state, database } = machines({ ahead: 7000 });
  state.elapsed = 1000;
  expect(clock.now()).toBe(database() + 7000);
});

test('it is never ahead of the database, nor further behind than the fastest answer took, however the machine is set', async () => {
  const answers = fc.array(fc.tuple(fc.nat(3000), fc.nat(3000)), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -1e6, max: 1e6 }), answers, async (ahead, delays) => {
      const { state, clock, database, ask } = machines({ ahead });
      for (const [there, back] of delays) {
        await ask(there, back);
        state.ahead += 100_000;
      }
      const fastest = Math.min(...delays.map(([there, back]) => there + back));
      expect(clock.now()).toBeLessThanOrEqual(database());
      expect(clock.now()).toBeGreaterThanOrEqual(database() - fastest - 1);
      expect(Number.isInteger(clock.now())).toBe(true);
    }),
  );
});

test('a slow answer moves nothing that it does not disprove', async () => {
  const { clock, ask, database } = machines({ ahead: 0 });
  await ask(0, 0);
  await ask(9000, 0);
  expect(Math.abs(clock.now() - database())).toBeLessThanOrEqual(1);
});

test('it says by how much the machine is ahead, and follows when the database itself is set', async () => {
  const { clock, state, ask } = machines({ ahead: -600_000 });
  await ask(2, 2);
  expect(Math.abs(clock.ahead() + 600_000)).toBeLessThanOrEqual(4);
  await clock.follow(async () => ({ at: Date.parse('2030-01-01T00:00:00Z') }));
  expect(clock.now()).toBe(Date.parse('2030-01-01T00:00:00Z'));
  expect(state.ahead).toBe(-600_000);
});
