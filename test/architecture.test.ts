import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

/** What each folder of src may import: the floors of the house, top to bottom. */
const floors: Record<string, string[]> = {
  model: [],
  crypto: ['model'],
  config: ['model'],
  machine: ['model'],
  form: ['model'],
  policy: ['model'],
  audit: ['model', 'crypto'],
  contract: ['model', 'form'],
  store: ['model', 'machine', 'audit', 'generated'],
  client: ['contract', 'model'],
  engine: ['model', 'machine', 'form', 'policy', 'audit', 'crypto', 'store'],
  mcp: ['client', 'contract', 'form', 'model'],
  host: ['client', 'contract', 'model'],
  api: ['engine', 'contract', 'model', 'crypto'],
  testing: ['mcp', 'client', 'contract', 'form', 'model'],
  worker: ['engine', 'store', 'audit', 'contract', 'crypto'],
  '(root)': ['config', 'crypto', 'store', 'engine', 'api', 'worker', 'model', '(root)'],
  cli: ['(root)', 'config', 'store', 'audit', 'model'],
};

/** Packages that live in one place only. */
const homes: Record<string, string[]> = {
  xstate: ['machine'],
  pg: ['store'],
  '@prisma/': ['store'],
  express: ['api'],
  helmet: ['api'],
  commander: ['cli'],
  yaml: ['policy'],
  '@marcbachmann/cel-js': ['policy'],
  re2js: ['policy'],
  '@modelcontextprotocol/': ['mcp', 'host'],
};

interface SourceFile {
  name: string;
  folder: string;
  text: string;
  imports: string[];
}

const src = path.resolve('src');
const files = readSource();

describe('imports in src', () => {
  test.each(files.map((file) => [file.name, file] as const))('%s imports only from the floors below', (_name, file) => {
    const allowed = floors[file.folder];
    expect(allowed).toBeDefined();
    const foreign = localImports(file)
      .map(folderOf)
      .filter((folder) => folder !== file.folder && !allowed?.includes(folder));
    expect(foreign).toEqual([]);
  });

  test('no file imports itself in a circle', () => {
    const graph = new Map(files.map((file) => [file.name, localImports(file)]));
    expect([...graph.keys()].flatMap((name) => circleFrom(graph, [name])).slice(0, 1)).toEqual([]);
  });

  test.each(Object.entries(homes))('%s is used by %s only', (name, folders) => {
    const users = files.filter(({ imports }) => imports.some((one) => one === name || one.startsWith(asPrefix(name))));
    expect(users.filter(({ folder }) => !folders.includes(folder)).map((file) => file.name)).toEqual([]);
    expect(users.length).toBeGreaterThan(0);
  });

  test('the environment is read in one file, and in one of the client', () => {
    const readers = files.filter(({ text }) => /process\.env\b/.test(text)).map(({ name }) => name);
    expect(readers.filter((name) => !['config/env.ts', 'client/env.ts'].includes(name))).toEqual([]);
  });

  test('what runs on edge runtimes and in browsers imports nothing of Node', () => {
    const bound = files.filter(({ folder }) => ['model', 'form', 'contract', 'client'].includes(folder));
    expect(
      bound.filter(({ imports }) => imports.some((one) => one.startsWith('node:'))).map(({ name }) => name),
    ).toEqual([]);
  });
});

describe('imports in web', () => {
  const web = readTree(path.resolve('web/src'));

  test.each(web.map((file) => [file.name, file] as const))(
    '%s sees only contract, model and form of src',
    (_name, file) => {
      const fromSrc = file.imports
        .map((one) => /(?:^|\/)src\/(contract|model|form|\w+)\//.exec(one)?.[1])
        .filter(Boolean);
      expect(fromSrc.filter((folder) => !['contract', 'model', 'form'].includes(folder as string))).toEqual([]);
    },
  );

  test('pages never import each other', () => {
    const crossing = web.flatMap(({ name, imports }) => {
      const own = /^pages\/([^/]+)\//.exec(name)?.[1];
      if (!own) return [];
      return imports.filter(
        (one) => /\.\.\/([^./][^/]*)\//.test(one) && one.startsWith('../') && !one.startsWith('../../'),
      );
    });
    expect(crossing).toEqual([]);
  });
});

describe('size', () => {
  const all = [...files, ...readTree(path.resolve('web/src'))];

  test.each(all.map(({ name, text }) => [name, text.split('\n').length - 1] as const))(
    '%s has at most 300 lines',
    (_name, lines) => {
      expect(lines).toBeLessThanOrEqual(300);
    },
  );

  test('nothing is called utils, helpers or common', () => {
    expect(all.filter(({ name }) => /(^|\/)(utils?|helpers?|common)(\.|\/)/.test(name))).toEqual([]);
  });
});

function readSource(): SourceFile[] {
  return readTree(src).filter(({ folder }) => folder !== 'generated');
}

function readTree(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const text = readFileSync(path.join(root, name), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s+'([^']+)'/g)].flatMap(([, one]) => (one ? [one] : []));
      return { name, folder: folderOf(name), text, imports };
    });
}

function folderOf(name: string): string {
  return name.includes('/') ? (name.split('/')[0] ?? '') : '(root)';
}

function localImports({ name, imports }: SourceFile): string[] {
  const local = imports.filter((one) => one.startsWith('.'));
  return local.map((one) => path.relative(src, path.resolve(src, path.dirname(name), one)));
}

function asPrefix(name: string): string {
  return name.endsWith('/') ? name : `${name}/`;
}

/** The first circle that leads back to where the path began. */
function circleFrom(graph: Map<string, string[]>, trail: string[]): string[][] {
  const seen = new Set<string>();
  const walk = (name: string, way: string[]): string[][] => {
    for (const next of graph.get(name) ?? []) {
      if (next === trail[0]) return [[...way, next]];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...way, next]);
      if (found.length > 0) return found;
    }
    return [];
  };
  return walk(trail[0] ?? '', trail);
}
