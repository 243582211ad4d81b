import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { homes, remembering } from './places.ts';
import { mayImport, roleOf } from './roles.ts';
import { readTree, type SourceFile } from './source-tree.ts';

const src = readTree('src');
const web = readTree('web/src');
const subjectOf = (name: string): string => name.split('/')[0] ?? '';
const isGenerated = (name: string): boolean => name.includes('/generated/');

describe('files of src', () => {
  test('have a role by their folder or name', () => {
    expect(src.filter(({ name }) => roleOf(name) === undefined).map(({ name }) => name)).toEqual([]);
  });

  test('import lower roles of any subject, and their own', () => {
    const upward = src.flatMap(({ name, local }) =>
      local
        .filter((target) => !isGenerated(target) && !mayImport(name, target))
        .map((target) => `${name} -> ${target}`),
    );
    expect(upward).toEqual([]);
  });

  test('leave a subject by its name only, and package.json lists the subjects that others import', () => {
    const isOutside = (name: string) => (target: string) => subjectOf(target) !== subjectOf(name);
    const crossing = src.flatMap(({ name, imports, local }) => {
      const named = imports.filter((specifier) => specifier.startsWith('#'));
      return local.filter(isOutside(name)).length === named.length ? [] : [name];
    });
    expect(crossing).toEqual([]);
    const open = new Set(['locales', ...src.map(({ name }) => subjectOf(name))]); // locales are compiled, not kept
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, string> };
    const listed = [...open].map((subject) => [`#${subject}/*`, `./src/${subject}/*.ts`]);
    expect(imports).toEqual(Object.fromEntries(listed));
  });

  test.each(Object.entries(homes))('import %s in %s only', (name, places) => {
    const prefix = name.endsWith('/') ? name : `${name}/`;
    const users = src.filter(({ imports }) =>
      imports.some((specifier) => specifier === name || specifier.startsWith(prefix)),
    );
    const isHome = (file: string): boolean =>
      places.some((place) => (place.startsWith('/') ? `/${roleOf(file)}` === place : file.startsWith(place)));
    expect(users.filter((file) => !isHome(file.name)).map((file) => file.name)).toEqual([]);
    expect(users.length).toBeGreaterThan(0);
  });

  test('name nothing of Node in what runs on edge runtimes and in browsers', () => {
    const bound = src.filter(({ name }) => roleOf(name) === 'contract' || name.startsWith('sdk/client/'));
    const isNode = (specifier: string): boolean => specifier.startsWith('node:');
    expect(bound.filter(({ imports }) => imports.some(isNode)).map(({ name }) => name)).toEqual([]);
  });

  test('read no clock where they decide', () => {
    const rules = src.filter(({ name }) => roleOf(name) === 'rules' && !name.startsWith('platform/'));
    expect(rules.filter(({ text }) => /Date\.now\(|new Date\(\)/.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

test.each([
  ['src', src],
  ['web/src', web],
])('no import in %s leads a file back to itself', (_, files) => {
  const graph = new Map(files.map(({ name, local }) => [name, local]));
  expect([...graph.keys()].flatMap((name) => circleFrom(graph, name)).slice(0, 1)).toEqual([]);
});

test('the console imports contracts and sentences only', () => {
  const reached = web.flatMap(({ local }) => local.map((target) => path.join('web/src', target)));
  const foreign = reached.filter((target) => target.startsWith('src/')).map((target) => target.slice('src/'.length));
  expect(foreign.length).toBeGreaterThan(0);
  expect([...new Set(foreign)].filter((name) => roleOf(name) !== 'contract')).toEqual([]);
});

test('the environment is read in one file, and in one of the client', () => {
  const readers = src.filter(({ text }) => /process\.env\b/.test(text)).map(({ name }) => name);
  expect(readers.filter((name) => !['platform/config/env.ts', 'sdk/client/env.ts'].includes(name))).toEqual([]);
});

test('other services are called by one function, apart from upstreams, from Assentry itself and by authors', () => {
  const callers = src.filter(({ text }) => /(?<![\w.#])fetch\(/.test(text)).map(({ name }) => name);
  expect(callers.filter((name) => !name.startsWith('sdk/client/'))).toEqual([
    'cli/doctor.ts',
    'gateway/upstreams/http.ts',
    'platform/http/client/outgoing-request.ts',
    'sdk/mcp/connect/guarded-fetch.ts',
  ]);
});

test('only these modules remember anything', () => {
  const kept = /^(?:export )?(?:let |const \w+[^=]*= new (?:Map|Set)(?:<[^;]*>)?\(\);)/m;
  expect(src.filter(({ text }) => kept.test(text)).map(({ name }) => name)).toEqual(remembering);
});

test('no AbortSignal.any follows a timeout, which Node.js 20 collects before its time', () => {
  expect(src.filter(({ text }) => /AbortSignal\.any\([^;]*timeout\(/.test(text)).map(({ name }) => name)).toEqual([]);
});

test('nothing is called utils, helpers or common', () => {
  const all: SourceFile[] = [...src, ...web];
  expect(all.filter(({ name }) => /(^|\/)(utils?|helpers?|common)(\.|\/)/.test(name))).toEqual([]);
});

/** The first circle that leads back to a file, if there is one. */
function circleFrom(graph: Map<string, string[]>, start: string): string[][] {
  const visited = new Set<string>();
  const walk = (name: string, way: string[]): string[][] => {
    for (const next of graph.get(name) ?? []) {
      if (next === start) return [[...way, next]];
      if (visited.has(next)) continue;
      visited.add(next);
      const circle = walk(next, [...way, next]);
      if (circle.length > 0) return circle;
    }
    return [];
  };
  return walk(start, [start]);
}
