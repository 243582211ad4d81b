import { expect, test } from '@jest/globals';
import { chooseSettlement, type RunEnd } from '#sdk/mcp/run/settlements';

const finished: RunEnd = { how: 'finished', isCallerGone: false, hasClaimed: true };

test.each<{ name: string; end: Partial<RunEnd>; settlement: string }>([
  { name: 'a result that reached its caller settles', end: {}, settlement: 'settle' },
  { name: 'so does one without an approval', end: { hasClaimed: false }, settlement: 'settle' },
  {
    name: 'but not under a run that still waits for an answer',
    end: { hasClaimed: false, isAwaited: true },
    settlement: 'nothing',
  },
  { name: 'whatever the others wait for, where the tool acted', end: { isAwaited: true }, settlement: 'settle' },
  { name: 'a result no one was there for is kept', end: { isCallerGone: true }, settlement: 'keep-result' },
  { name: 'no run, no result to keep', end: { isCallerGone: true, hasClaimed: false }, settlement: 'nothing' },
  { name: 'a pending call stays open', end: { how: 'pending' }, settlement: 'nothing' },
  { name: 'also after a first approval', end: { how: 'pending', hasClaimed: true }, settlement: 'nothing' },
  { name: 'a result to be fetched later is kept', end: { isBackground: true }, settlement: 'keep-result' },
  {
    name: 'also where no one had to approve it',
    end: { isBackground: true, hasClaimed: false },
    settlement: 'keep-result',
  },
  {
    name: "another run's result stays where it is",
    end: { isBackground: true, how: 'replayed' },
    settlement: 'nothing',
  },
  { name: 'so does one whose client asks and calls again', end: { how: 'asked' }, settlement: 'nothing' },
  {
    name: "another run's result, delivered, settles",
    end: { how: 'replayed', hasClaimed: false },
    settlement: 'settle',
  },
  { name: 'and undelivered waits on', end: { how: 'replayed', isCallerGone: true }, settlement: 'nothing' },
  {
    name: 'a caller may come back to its question',
    end: { how: 'detached', isCallerGone: true },
    settlement: 'nothing',
  },
  {
    name: 'a requester is asked again',
    end: { how: 'withdrawn', isCallerGone: true },
    settlement: 'settle',
  },
  {
    name: 'also after a first answer',
    end: { how: 'withdrawn', isCallerGone: true, hasClaimed: true },
    settlement: 'settle',
  },
])('$name', ({ end, settlement }) => {
  expect(chooseSettlement({ ...finished, ...end })).toBe(settlement);
});
