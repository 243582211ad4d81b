import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { consoleAddresses } from '../../src/contract/console/addresses.ts';

test('the console has a page at every address that the server sends it at, and at no other', () => {
  const routes = readFileSync('web/src/routes.tsx', 'utf8');
  const paths = [...routes.matchAll(/path: '([^']+)'/g)].map(([, path]) => path);
  expect(paths.filter((path) => path !== '*').sort()).toEqual([...consoleAddresses].sort());
});
