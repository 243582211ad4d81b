import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { floorOf, floors, homes, houseOf, remembering, rooms } from './floors.ts';
import { arrowsIn, longFunctions, readTree, type SourceFile } from './source-tree.ts';

const src = readTree('src');
const web = readTree('web/src');
const all = [...inTree('src', src), ...inTree('web/src', web)];

describe('imports in src', () => {
  test('go from a floor to those below it only', () => {
    const upward = src.flatMap(({ name, local }) =>
      local
        .filter((target) => floorOf(target) !== floorOf(name) && !floors[floorOf(name)]?.includes(floorOf(target)))
        .map((target) => `${name} -> ${target}`),
    );
    expect(upward).toEqual([]);
    expect(Object.keys(floors).toSorted()).toEqual([...new Set(src.map(({ name }) => floorOf(name)))].toSorted());
  });

  test('leave a house by its name only, and package.json lists the houses that others import', () => {
    const isOutside = (name: string) => (target: string) => houseOf(target) !== houseOf(name);
    const crossing = src.flatMap(({ name, imports, local }) => {
      const named = imports.filter((specifier) => specifier.startsWith('#'));
      return local.filter(isOutside(name)).length === named.length ? [] : [name];
    });
    expect(crossing).toEqual([]);
    const open = new Set(src.flatMap(({ name, local }) => local.filter(isOutside(name)).map(houseOf)));
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, string> };
    const listed = [...open].map((house) => [`#${house}/*`, `./src/${house}/*.ts`]);
    expect(imports).toEqual(Object.fromEntries(listed));
  });

  test('lead no file back to itself', () => {
    const graph = new Map(src.map(({ name, local }) => [name, local]));
    expect([...graph.keys()].flatMap((name) => circleFrom(graph, name)).slice(0, 1)).toEqual([]);
  });

  test.each(Object.entries(homes))('of %s stay in %s', (name, folders) => {
    const prefix = name.endsWith('/') ? name : `${name}/`;
    const users = src.filter(({ imports }) =>
      imports.some((specifier) => specifier === name || specifier.startsWith(prefix)),
    );
    expect(users.filter((file) => !folders.includes(floorOf(file.name))).map((file) => file.name)).toEqual([]);
    expect(users.length).toBeGreaterThan(0);
  });

  test('name nothing of Node in what runs on edge runtimes and in browsers', () => {
    const bound = src.filter(({ name }) => /^(protocol|messages|sdk\/client)\//.test(name));
    expect(bound.filter(({ imports }) => imports.some((specifier) => specifier.startsWith('node:')))).toEqual([]);
  });
});

test('the environment is read in one file, and in one of the client', () => {
  const readers = src.filter(({ text }) => /process\.env\b/.test(text)).map(({ name }) => name);
  expect(readers.filter((name) => !['platform/config/env.ts', 'sdk/client/env.ts'].includes(name))).toEqual([]);
});

test('other services are called by one function, apart from upstreams and from Assentry itself', () => {
  const callers = src.filter(({ text }) => /(?<![\w.#])fetch\(/.test(text)).map(({ name }) => name);
  expect(callers.filter((name) => !name.startsWith('sdk/client/'))).toEqual([
    'cli/doctor.ts',
    'platform/http/client/outgoing-request.ts',
    'gateway/upstreams/http.ts',
  ]);
});

test('only these modules remember anything', () => {
  const kept = /^(?:export )?(?:let |const \w+[^=]*= new (?:Map|Set)(?:<[^;]*>)?\(\);)/m;
  expect(src.filter(({ text }) => kept.test(text)).map(({ name }) => name)).toEqual(remembering);
});

test('no AbortSignal.any follows a timeout, which Node.js 20 collects before its time', () => {
  expect(src.filter(({ text }) => /AbortSignal\.any\([^;]*timeout\(/.test(text)).map(({ name }) => name)).toEqual([]);
});

describe('rooms', () => {
  test.each(Object.entries(rooms))('of %s import from their lower floors only', (folder, levels) => {
    const tree = folder.startsWith('web/') ? 'web/src' : 'src';
    const inside = path.relative(tree, folder);
    const floorOf = (room: string): number => levels.findIndex((level) => level.includes(room));
    const arrows = [...arrowsIn(tree === 'src' ? src : web, inside)];
    expect(arrows.map(([room]) => room).filter((room) => floorOf(room) < 0)).toEqual([]);
    const upward = arrows.flatMap(([from, targets]) =>
      [...targets].filter((to) => floorOf(to) >= floorOf(from)).map((to) => `${from} -> ${to}`),
    );
    expect(upward).toEqual([]);
  });

  test('keep what lies in a folder called internal to the folder that it lies in', () => {
    const ownerOf = (name: string): string | undefined => /^(.*\/)internal\//.exec(name)?.[1];
    const foreign = src.flatMap(({ name, local }) =>
      local.filter((target) => !name.startsWith(ownerOf(target) ?? '')).map((target) => `${name} -> ${target}`),
    );
    expect(foreign).toEqual([]);
  });

  test('of the engine have a door in each file that is not internal', () => {
    const folderOf = (name: string): string => `${path.dirname(name)}/`;
    const entered = new Set(
      src.flatMap(({ name, local }) => local.filter((target) => !name.startsWith(folderOf(target)))),
    );
    const inside = src.map(({ name }) => name).filter((name) => /^server\/engine\/.*\//.test(name));
    const doors = inside.filter((name) => !name.includes('/internal/'));
    expect(doors.length).toBeGreaterThan(100);
    expect(doors.filter((name) => !entered.has(name))).toEqual([]);
  });

  test('hold at most 30 files, in the tests as well', () => {
    expect(crowded([...all, ...inTree('test', readTree('test'))])).toEqual([]);
  });

  test('have floors of their own if a folder has rooms', () => {
    const folders = all
      .map(({ name }) => path.dirname(name))
      .filter((folder) => folder.split('/').length > 2 && path.basename(folder) !== 'internal');
    const withRooms = new Set(folders.map((folder) => path.dirname(folder)).filter((folder) => folder !== 'web/src'));
    const houses = new Set(Object.keys(floors).map((floor) => `src/${houseOf(floor)}`));
    const isFloored = (folder: string): boolean => folder in rooms || (houses.has(folder) && folder !== 'src/gateway');
    expect([...withRooms].filter((folder) => folder !== 'web/src/pages' && !isFloored(folder))).toEqual([]);
  });
});

describe('imports in web', () => {
  test('reach only the protocol and its messages in src', () => {
    const foreign = web.flatMap(({ local }) => local.map((target) => path.join('web/src', target)));
    const reached = foreign.filter((target) => target.startsWith('src/')).map((target) => houseOf(target.slice(4)));
    expect([...new Set(reached)].toSorted()).toEqual(['messages', 'protocol']);
  });

  test('never lead from one page to another', () => {
    const pageOf = (name: string): string | undefined => /^pages\/([^/]+)\//.exec(name)?.[1];
    const crossing = web.flatMap(({ name, local }) =>
      local
        .filter((target) => pageOf(name) && pageOf(target) && pageOf(target) !== pageOf(name))
        .map((target) => `${name} -> ${target}`),
    );
    expect(crossing).toEqual([]);
  });
});

describe('size', () => {
  test('no file has more than 350 lines', () => {
    const long = all.map(({ name, text }) => ({ name, lines: text.split('\n').length - 1 }));
    expect(long.filter(({ lines }) => lines > 350)).toEqual([]);
  });

  test('no function has more than 70 lines', () => {
    expect(all.flatMap((file) => longFunctions(file, 70))).toEqual([]);
  });

  test('nothing is called utils, helpers or common', () => {
    expect(all.filter(({ name }) => /(^|\/)(utils?|helpers?|common)(\.|\/)/.test(name))).toEqual([]);
  });
});

function inTree(tree: string, files: SourceFile[]): SourceFile[] {
  return files.map((file) => ({ ...file, name: path.join(tree, file.name) }));
}

function crowded(files: SourceFile[]): string[] {
  const folders = files.map(({ name }) => path.dirname(name));
  const count = (folder: string): number => folders.filter((other) => other === folder).length;
  return [...new Set(folders)].filter((folder) => count(folder) > 30).map((folder) => `${folder}: ${count(folder)}`);
}

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
