import { expect, test } from '@jest/globals';
import { atRest, pressHold, type PressEvent } from '../../../web/src/requests/decide/DecisionButtons.tsx';

/** How often these events decide, one after the other. */
function decisions(events: PressEvent[]): number {
  let press = atRest;
  let decided = 0;
  for (const event of events) {
    const { isDecided, ...next } = pressHold(press, event);
    press = next;
    if (isDecided) decided += 1;
  }
  return decided;
}

test.each<[string, PressEvent[], number]>([
  ['a pointer that holds it for the full time', ['pointer-down', 'full'], 1],
  ['a key that is held for the full time', ['key-down', 'full'], 1],
  ['a key that is pressed twice', ['key-down', 'let-go', 'key-down'], 1],
  ['two clicks without a pointer or a key', ['click', 'click'], 1],
  ['a short tap', ['pointer-down', 'let-go'], 0],
  ['many short taps', ['pointer-down', 'let-go', 'pointer-down', 'let-go', 'pointer-down', 'let-go'], 0],
  ['a finger that slips off', ['pointer-down', 'leave', 'full'], 0],
  ['a key that is pressed once', ['key-down', 'let-go'], 0],
  ['a key that is pressed again after the focus left', ['key-down', 'let-go', 'leave', 'key-down', 'let-go'], 0],
  ['a tap after a key was pressed once', ['key-down', 'let-go', 'pointer-down', 'let-go'], 0],
  ['time that runs out after it was let go', ['pointer-down', 'let-go', 'full'], 0],
  ['a hold that goes on after it decided', ['pointer-down', 'full', 'full', 'let-go'], 1],
])('%s', (_what, events, decided) => {
  expect(decisions(events)).toBe(decided);
});
