import { expect, test } from '@jest/globals';
import type { Simulation } from '#policies/contract/documents';
import { groupRequests } from '../../../web/src/policies/Simulator.tsx';

type Request = Simulation['requests'][number];

const verdict = {
  outcome: 'require',
  policy: 'a@1',
  risk: 'low',
  stages: [],
  reason: null,
} as unknown as Request['live'];
const requestOf = (elicitation: string, changes: Partial<Request> = {}): Request => ({
  elicitation: elicitation as Request['elicitation'],
  name: null,
  server: 'bank',
  tool: 'pay',
  at: 1,
  live: verdict,
  draft: verdict,
  changes: { live: [], draft: [] },
  differs: true,
  explained: null,
  aside: null,
  ended: 'accept',
  failed: false,
  ...changes,
});

test('requests of a tool that come out alike are one row, with how many of them ended how', () => {
  const groups = groupRequests([
    requestOf('first'),
    requestOf('second', { ended: null, at: 0 }),
    requestOf('third'),
    requestOf('fourth', { tool: 'refund' }),
    requestOf('fifth', { draft: { ...verdict, outcome: 'deny', reason: 'No.' } }),
  ]);
  expect(groups.map(({ first, count, endings }) => [first.elicitation, count, endings])).toEqual([
    [
      'first',
      3,
      [
        ['accept', 2],
        [null, 1],
      ],
    ],
    ['fourth', 1, [['accept', 1]]],
    ['fifth', 1, [['accept', 1]]],
  ]);
});
