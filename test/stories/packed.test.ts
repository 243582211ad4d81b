import { afterAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeLogin } from '../support/databases/node-login.ts';

const run = promisify(execFile);

interface Manifest {
  exports: Record<string, { types: string; default: string }>;
  [field: string]: unknown;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const doors = Object.entries(manifest.exports);
const nameOf = (door: string): string => path.posix.join('assentry', door);

const base = mkdtempSync(path.join(os.tmpdir(), 'assentry-packed-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
/** A project that has installed the package. */
const project = path.join(base, 'project');
const installed = path.join(project, 'node_modules', 'assentry');
const source = path.join(base, 'source');
arrange(source);
const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', base], { cwd: source });
const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
await install(path.join(base, filename));
/** The package of the library alone, next to it. */
const sdk = path.join(project, 'node_modules', '@assentry', 'sdk');
await packSdk(source);

/** What has been built, without what it depends on, which the working tree lends. */
function arrange(source: string): void {
  for (const file of ['dist', 'prisma', 'README.md', 'LICENSE'])
    cpSync(file, path.join(source, file), { recursive: true });
  const aside = { scripts: {}, dependencies: {}, optionalDependencies: {}, devDependencies: {}, overrides: {} };
  writeFileSync(path.join(source, 'package.json'), JSON.stringify({ ...manifest, ...aside }));
  symlinkSync(path.resolve('node_modules'), path.join(base, 'node_modules'));
}

async function install(file: string): Promise<void> {
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project });
}

/** Unpacked as it is; the working tree lends what it depends on. */
async function packSdk(source: string): Promise<void> {
  const pack = path.resolve('scripts/pack-sdk.mjs');
  await run(process.execPath, [pack, base], { cwd: source });
  mkdirSync(sdk, { recursive: true });
  const file = path.join(base, `assentry-sdk-${String(manifest['version'])}.tgz`);
  await run('tar', ['-xzf', file, '-C', sdk, '--strip-components=1']);
}

/** What the compiler says. */
async function compile(...words: string[]): Promise<string> {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const result = await run(process.execPath, [tsc, ...words]).catch((error: { stdout: string }) => error);
  return result.stdout.trim();
}

describe('the packed package', () => {
  test('holds the program, the console, the migrations and the words around it, and nothing else', () => {
    for (const file of ['dist/cli/main.js', 'dist/web/index.html', 'prisma/migrations', 'README.md', 'LICENSE']) {
      expect([file, existsSync(path.join(installed, file))]).toEqual([file, true]);
    }
    for (const file of ['src', 'test', 'web', 'examples', 'node_modules', 'dist/cli/wrap.js', 'dist/commands']) {
      expect([file, existsSync(path.join(installed, file))]).toEqual([file, false]);
    }
  });

  test('has a door for every export, with its types', async () => {
    const imports = doors.map(([door]) => `Object.keys(await import('${nameOf(door)}')).length > 0`);
    const script = path.join(project, 'doors.js');
    writeFileSync(script, `console.log(JSON.stringify([${imports.join(', ')}]));`);
    const { stdout } = await run(process.execPath, [script]);
    expect(JSON.parse(stdout)).toEqual(doors.map(() => true));
    for (const [, { types }] of doors) expect([types, existsSync(path.join(installed, types))]).toEqual([types, true]);
  });

  test('gives its types to a project in TypeScript', async () => {
    const example = readFileSync('examples/ten-lines.ts', 'utf8').replace('../src/sdk/mcp/assentry.ts', 'assentry/mcp');
    const wrong = `${example}\nconst wrong: number = tools;\n`; // were the types lost, this would pass
    writeFileSync(path.join(project, 'sdk.ts'), wrong.replace('assentry/mcp', '@assentry/sdk/mcp'));
    const lines = doors.map(([door], index) => `export * as door${index} from '${nameOf(door)}';`);
    writeFileSync(path.join(project, 'right.ts'), example);
    writeFileSync(path.join(project, 'doors.ts'), lines.join('\n'));
    writeFileSync(path.join(project, 'wrong.ts'), wrong);
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    };
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const complaints = (await compile('-p', project)).split('\n');
    expect(complaints.sort()).toEqual([
      expect.stringMatching(/\/sdk\.ts.*TS2322.*AssentryTools/),
      expect.stringMatching(/\/wrong\.ts.*TS2322.*AssentryTools/),
    ]);
  });

  test('runs its command, which knows where its migrations are', async () => {
    const program = path.join(project, 'node_modules', '.bin', 'assentry');
    const { stdout } = await run(program, ['--help']);
    expect(stdout).toMatch(/^Usage: assentry \[options\] \[command\]/);
    const database = await freshDatabase();
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url, ASSENTRY_SECRET: 'x'.repeat(32) };
    const migrated = await run(program, ['migrate', '--login', nodeLogin.name, '--json'], { env });
    expect(JSON.parse(migrated.stdout)).toEqual({ migrated: [], login: nodeLogin.name });
    await database.drop();
  });
});

test('the packed package wraps a server from nothing: one command, a console, an approval, a file', async () => {
  const words = ['scripts/wrap-from-nothing.mjs', '--project', project];
  const { stdout } = await run(process.execPath, words);
  const steps = stdout.split('\n').flatMap((line) => /^ +\d+\.\d s {2}(.*)$/.exec(line)?.[1] ?? []);
  expect(steps).toEqual([
    expect.stringMatching(/^npx assentry wrap -- /),
    'list_directory: reads, and passes',
    'open the set-up link, and make the first administrator',
    'write_file: waits, and is in the inbox',
    'approve it',
    'the file is there',
  ]);
  expect(stdout).toMatch(/From nothing to a gated write in \d+\.\d s\.\n$/);
});

describe('the package of the library alone', () => {
  const sizeOf = (folder: string): number =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);

  test('is small, and needs neither a database nor a web server', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(path.join(sdk, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    expect(sizeOf(sdk)).toBeLessThan(2_000_000);
    expect(Object.keys({ ...dependencies, ...peerDependencies }).sort()).toEqual([
      '@modelcontextprotocol/sdk',
      '@modelcontextprotocol/server',
      'eventsource-parser',
      'zod',
    ]);
  });

  test('has the doors for authors, which give what those of the main package give', async () => {
    const names = ['client', 'mcp', 'mcp-v2', 'host', 'agents', 'testing'];
    const imports = names.map(
      (name) => `[Object.keys(await import('@assentry/sdk/${name}')), Object.keys(await import('assentry/${name}'))]`,
    );
    const script = path.join(project, 'sdk-doors.js');
    writeFileSync(script, `console.log(JSON.stringify([${imports.join(', ')}]));`);
    const { stdout } = await run(process.execPath, [script]);
    for (const [own, main] of JSON.parse(stdout) as [string[], string[]][]) {
      expect(own.length).toBeGreaterThan(0);
      expect(own).toEqual(main);
    }
  });
});
