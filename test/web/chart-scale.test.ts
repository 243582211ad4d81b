import { expect, test } from '@jest/globals';
import { scaleOf } from '../../web/src/ui/charts/scale.ts';

test.each<[string, number[], { top: number; cutFrom: number | null }]>([
  ['one value that would flatten the others ends at the top', [3, 0, 4, 2, 5, 159], { top: 6.25, cutFrom: 159 }],
  ['values of one kind are shown whole', [3, 4, 2, 5, 9], { top: 9, cutFrom: null }],
  ['few values are shown whole', [1, 0, 90], { top: 90, cutFrom: null }],
  ['many high values are no outliers', [1, 1, 1, 1, 50, 60, 70, 80], { top: 80, cutFrom: null }],
  ['nothing has a scale as well', [0, 0], { top: 1, cutFrom: null }],
])('%s', (_name, values, scale) => expect(scaleOf(values)).toEqual(scale));
