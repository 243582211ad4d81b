import { expect, test } from '@jest/globals';
import { scaleOf, sinceFirst } from '../../web/src/audit/insights/StackedChart.tsx';

test.each<[string, number[], { top: number; cutFrom: number | null }]>([
  ['one value that would flatten the others ends at the top', [3, 0, 4, 2, 5, 159], { top: 6.25, cutFrom: 159 }],
  ['values of one kind are shown whole', [3, 4, 2, 5, 9], { top: 9, cutFrom: null }],
  ['few values are shown whole', [1, 0, 90], { top: 90, cutFrom: null }],
  ['many high values are no outliers', [1, 1, 1, 1, 50, 60, 70, 80], { top: 80, cutFrom: null }],
  ['nothing has a scale as well', [0, 0], { top: 1, cutFrom: null }],
])('%s', (_name, values, scale) => expect(scaleOf(values)).toEqual(scale));

test.each([
  ['empty days before the first are left out', [0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 3], [1, 0, 2, 0, 0, 0, 0, 3]],
  ['a week is left at least', [0, 0, 0, 0, 0, 0, 0, 0, 0, 4], [0, 0, 0, 0, 0, 0, 4]],
  ['nothing stays as long as it was', [0, 0, 0], [0, 0, 0]],
])('%s', (_name, counts, shown) => expect(sinceFirst(counts, (count) => count > 0)).toEqual(shown));
