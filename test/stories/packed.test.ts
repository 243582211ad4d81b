import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freshDatabase } from '../support/database.ts';
import { nodeLogin } from '../support/node-login.ts';

const run = promisify(execFile);

interface Manifest {
  exports: Record<string, { types: string; default: string }>;
  [field: string]: unknown;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const doors = Object.entries(manifest.exports);
const nameOf = (door: string): string => path.posix.join('assentry', door);
let base: string;
/** A project that has installed the package. */
let project: string;
let installed: string;

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'assentry-packed-'));
  project = path.join(base, 'project');
  installed = path.join(project, 'node_modules', 'assentry');
  const source = path.join(base, 'source');
  await build(source);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', base], { cwd: source });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await install(path.join(base, filename));
}, 90_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Built aside, so that nothing in the working tree is touched; what it depends on is lent by the working tree. */
async function build(source: string): Promise<void> {
  for (const file of ['prisma', 'README.md', 'LICENSE']) cpSync(file, path.join(source, file), { recursive: true });
  const aside = { scripts: {}, dependencies: {}, optionalDependencies: {}, devDependencies: {}, overrides: {} };
  writeFileSync(path.join(source, 'package.json'), JSON.stringify({ ...manifest, ...aside }));
  await compile('-p', 'tsconfig.build.json', '--outDir', path.join(source, 'dist'));
  cpSync('dist/web', path.join(source, 'dist', 'web'), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(base, 'node_modules'));
}

async function install(file: string): Promise<void> {
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project });
}

/** What the compiler says. */
async function compile(...words: string[]): Promise<string> {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const said = await run(process.execPath, [tsc, ...words]).catch((error: { stdout: string }) => error);
  return said.stdout.trim();
}

describe('the packed package', () => {
  test('holds the program, the console, the migrations and the words around it, and nothing else', () => {
    for (const file of ['dist/cli/main.js', 'dist/web/index.html', 'prisma/migrations', 'README.md', 'LICENSE']) {
      expect([file, existsSync(path.join(installed, file))]).toEqual([file, true]);
    }
    for (const file of ['src', 'test', 'web', 'examples', 'node_modules']) {
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
    const example = readFileSync('examples/ten-lines.ts', 'utf8').replace('../src/mcp/assentry.ts', 'assentry/mcp');
    const wrong = `${example}\nconst wrong: number = tools;\n`; // were the types lost, this would pass
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
    expect(complaints).toEqual([expect.stringMatching(/wrong\.ts.*TS2322.*AssentryTools/)]);
  }, 60_000);

  test('runs its command, which knows where its migrations are', async () => {
    const program = path.join(project, 'node_modules', '.bin', 'assentry');
    const { stdout } = await run(program, ['--help']);
    expect(stdout).toMatch(/^Usage: assentry \[options\] \[command\]/);
    const database = await freshDatabase();
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url, ASSENTRY_SECRET: 'x'.repeat(32) };
    const migrated = await run(program, ['migrate', '--login', nodeLogin.name, '--json'], { env });
    expect(JSON.parse(migrated.stdout)).toEqual({ migrated: [], login: nodeLogin.name });
    await database.drop();
  }, 60_000);
});
