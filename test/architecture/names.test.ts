import { expect, test } from '@jest/globals';
import { declaredNames, readTree } from './source-tree.ts';

/** They do not say what a value is. A noun does (`policy`, `entry`, `request`), and a verb for a function. */
const retired = 'asked found given held known made one said seen taken told wanted'.split(' ');

test.each(['src', 'web/src', 'test', 'examples'])('no value or function in %s has a retired name', (root) => {
  const names = readTree(root).flatMap((file) => declaredNames(file).map((name) => `${file.name}: ${name}`));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((line) => retired.some((name) => line.endsWith(`: ${name}`)))).toEqual([]);
});
