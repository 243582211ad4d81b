import { expect, test } from '@jest/globals';
import { isThere } from './fault.ts';
import { faults } from './faults.ts';

test('every fault of the mutation run is still to be put in, and its tests are there', () => {
  expect(faults.filter((fault) => !isThere(fault)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
