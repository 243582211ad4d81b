import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import { findRequest } from '../sdk/mcp/peers.ts';
import { startTestServer } from '../support/nodes/server.ts';

const run = promisify(execFile);

/** What stands around the examples of docstrings. */
const prelude = `
import { onRequest, onResult, type Connect, type Connection, type Elicit, type Payment, type Signature } from 'assentry/mcp';
import { accept, answerWithDefaults, approve, fakeHuman, fakeProvider, formRequest, nonInteractive } from 'assentry/testing';
const deleteAccount = (_: { id: string }, { elicit }: { elicit: Elicit }) =>
  elicit('Delete?', { type: 'object', properties: { confirmed: { type: 'boolean' } } }, { approval: true });
`;

const pages = ['docs/hooks.md', 'docs/testing.md'].flatMap((page) => blocksIn(readFileSync(page, 'utf8')));
/** Talks to a server. */
const served = blocksIn(readFileSync('docs/http.md', 'utf8')).map((code) => ({
  code: `${code}\nawait askAndRefund(20);\n`,
  file: 'served.ts',
}));
const documented = [
  'mcp/connect/connect.ts',
  'mcp/connect/connection.ts',
  'mcp/connect/outcome.ts',
  'mcp/hooks/hooks.ts',
];
const docstrings = [...documented, 'testing/ending.ts', 'testing/fake-human.ts', 'testing/fake-provider.ts'].map(
  (file) => blocksIn(readFileSync(path.join('src/sdk', file), 'utf8').replace(/^ \* ?/gm, '')),
);
const programs = [
  ...pages,
  `${prelude}${docstrings
    .flat()
    .map((code) => `{\n${code}}\n`)
    .join('')}`,
].map((code, index) => ({ code, file: `example${index}.ts` }));

/** A project of someone who has the package. */
const project = mkdtempSync(path.join(os.tmpdir(), 'assentry-documented-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));
symlinkSync(path.resolve('node_modules'), path.join(project, 'node_modules'));
const tsconfig = { extends: path.resolve('tsconfig.json'), include: ['*.ts'], compilerOptions: { types: ['node'] } };
writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
for (const { file, code } of [...programs, ...served]) writeFileSync(path.join(project, file), withDoors(code));
writeFileSync(path.join(project, 'wrong.ts'), withDoors(`${prelude}\nexport const wrong: number = fakeHuman();\n`));

function blocksIn(text: string): string[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '');
}

function withDoors(code: string): string {
  const source = (file: string) => `'${path.resolve('src/sdk', file)}'`;
  return code
    .replaceAll("'assentry/client'", source('client/client.ts'))
    .replaceAll("'assentry/mcp'", source('mcp/assentry.ts'))
    .replaceAll("'assentry/testing'", source('testing/assentry-testing.ts'));
}

test('every page and docstring has its example, and the compiler agrees with all', async () => {
  expect([pages, served, ...docstrings].map(({ length }) => length)).toEqual([5, 1, 1, 1, 2, 2, 2, 2, 1]);
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const result = await run(process.execPath, [tsc, '-p', project]).catch((error: { stdout: string }) => error);
  const complaints = result.stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(complaints).toEqual([expect.stringMatching(/wrong\.ts.*TS2322/)]);
});

const tsx = path.resolve('node_modules/tsx/dist/loader.mjs');
const envWith = (url: string, key: string) => ({ PATH: process.env.PATH, ASSENTRY_URL: url, ASSENTRY_API_KEY: key });

test.each(programs)('$file runs', async ({ file }) => {
  const env = envWith('http://127.0.0.1:1', 'asn_unused');
  const { stdout } = await run(process.execPath, ['--import', tsx, file], { cwd: project, env });
  expect(stdout).toBe('');
});

test('the program of docs/http.md runs what a person approved, once', async () => {
  const server = await startTestServer();
  try {
    const approver = await server.newUser();
    const env = envWith(server.url, await server.newServerKey());
    const refund = 'data:text/javascript,globalThis.refund = async (args) => console.log(JSON.stringify(args))';
    const running = run(process.execPath, ['--import', tsx, '--import', refund, 'served.ts'], { cwd: project, env });
    const { id } = await findRequest(approver, 'Refund?');
    expect((await approver.vote(id, 'accept', {})).status).toBe(200);
    expect((await running).stdout).toBe('{"amount":20}\n');
    const history = (await server.engine.reader.history(id as ElicitationId)).map((entry) => readEntry(entry).type);
    expect(history.slice(-2)).toEqual(['call.claimed', 'call.settled']);
  } finally {
    await server.stop();
  }
});
