import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readTree } from '../architecture/source-tree.ts';

/** What measures by the device's clock alone: the difference between the two, and how long a text was left. */
const ofTheDevice = ['client/call-api.ts', 'ui/carried-text.ts'];

test('what the console says of the present goes by the clock of the server', () => {
  const files = readTree('web/src').map(({ name }) => name);
  const reading = files.filter((name) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(`web/src/${name}`, 'utf8')));
  expect(files.length).toBeGreaterThan(100);
  expect(reading).toEqual(ofTheDevice);
});
