import { expect, test } from '@jest/globals';
import type { ShownStage } from '#requests/voting/contract/stages';
import { endsByOneRefusal } from '../../../web/src/requests/decide/DecisionButtons.tsx';

const group = (deny: number, refusals = 0) =>
  ({ name: 'Finance', meaning: 'approved', have: 0, need: 1, deny, refusals, open: null }) as const;
const stage = (groups: ShownStage['groups'], complete: ShownStage['complete'] = 'all'): ShownStage => ({
  name: 'Checks',
  state: 'current',
  complete,
  added: false,
  groups,
});

test.each([
  ['one refusal ends a group', [stage([group(1), group(1)])], true],
  ['one is missing of two', [stage([group(2, 1)])], true],
  ['two are needed', [stage([group(1), group(2)])], false],
  ['another group may still complete it', [stage([group(1), group(1)], 'any')], false],
  ['a later stage needs two', [stage([group(1)]), { ...stage([group(2)]), state: 'waiting' as const }], true],
  ['the requester answers', [], true],
])('%s', (_, stages, ends) => {
  expect(endsByOneRefusal(stages)).toBe(ends);
});
