import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { findNode22, isNewEnough, versionOf } from './node22.ts';

test("MCP's own tools get a Node.js that is new enough", () => {
  expect(isNewEnough(versionOf(findNode22()))).toBe(true);
});

test('its program stands before no one else: npm finds the one of the system', () => {
  expect(existsSync('node_modules/.bin/node')).toBe(false);
});

test.each([
  ['20.20.2', false],
  ['22.18.9', false],
  ['22.19.0', true],
  ['24.0.0', true],
])('%s is new enough: %s', (version, isEnough) => expect(isNewEnough(version)).toBe(isEnough));

test('without any the test says what to do', () => {
  expect(() => findNode22('20.20.2', 'nowhere')).toThrow(/need Node\.js 22\.19; this is 20\.20\.2.*Run the tests on/s);
});

test('a newer one that runs the tests is taken', () => {
  expect(findNode22('22.19.0', 'nowhere')).toBe(process.execPath);
});
