import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { palette } from '#locales/frame-palette.en';
import { consoleAddresses } from '#platform/http/contract/addresses';
import { routes } from '#platform/http/contract/openapi';

test('the console has a page at every address that the server sends it at, and at no other', () => {
  const routes = ['routes', 'signed-in', 'settings']
    .map((name) => readFileSync(`web/src/${name}.tsx`, 'utf8'))
    .join('\n');
  const paths = [...routes.matchAll(/path: '([^']+)'/g)].map(([, path]) => path);
  expect(paths.filter((path) => !path?.endsWith('*')).sort()).toEqual([...consoleAddresses].sort());
});

test('the palette leads to addresses that there are', () => {
  const paths = Object.keys(palette.places).map((to) => to.split('?')[0]);
  expect(paths.filter((path) => !(consoleAddresses as readonly unknown[]).includes(path))).toEqual([]);
});

test('npm run dev passes each route on to the server', () => {
  const script = readFileSync('scripts/dev.mjs', 'utf8');
  const passed = [...script.matchAll(/^ {4}'(\/[^']+)',$/gm)].map(([, path = '']) => path);
  const paths = Object.values(routes).map(({ path }) => path);
  expect(paths.filter((path) => !passed.some((prefix) => path.startsWith(prefix)))).toEqual([]);
  expect(passed.filter((prefix) => !paths.some((path) => path.startsWith(prefix)))).toEqual([]);
});
