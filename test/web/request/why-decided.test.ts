import { expect, test } from '@jest/globals';
import { whyDecided, type Considered, type Why } from '../../../web/src/requests/decide/PolicySection.tsx';

const policy = (result: Considered['result'], decided = false, outcome: Considered['outcome'] = 'require') => ({
  policy: 'name@1',
  outcome,
  result,
  failure: null,
  decided,
  clauses: [],
});

test.each<[Why, Considered[]]>([
  ['default', [policy('not-applied'), policy('applied', false, 'allow')]],
  ['together', [policy('applied', true), policy('failed', true)]],
  ['denial', [policy('applied', true, 'deny'), policy('applied')]],
  ['failed', [policy('failed', true), policy('not-applied')]],
  ['only', [policy('not-applied'), policy('applied', true)]],
  ['first', [policy('not-applied'), policy('applied', true), policy('applied')]],
  ['next', [policy('applied', false, 'allow'), policy('applied', true)]],
])('a decision is explained as %s', (why, considered) => {
  expect(whyDecided(considered)).toBe(why);
});
