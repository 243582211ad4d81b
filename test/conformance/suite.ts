import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { compiled } from '../support/compiled.ts';
import { findNode22 } from '../support/node22.ts';
import { startTestServer, type TestServer } from '../support/nodes/server.ts';

export interface Check {
  id: string;
  name: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

export interface Suite {
  /** Assentry, and the address of our example server. */
  server: TestServer;
  url: string;
  /** Runs one scenario of the official suite against our example server; its checks. */
  run(scenario: string, ...options: string[]): Promise<Check[]>;
  /** Runs one scenario against the server at this address; the status of each check. */
  runAt(url: string, scenario: string, ...options: string[]): Promise<string[]>;
  /** Runs every scenario that counts against the server at this address; by scenario, the status of each check. */
  runAll(url: string, ...options: string[]): Promise<Record<string, string[]>>;
  stop(): Promise<void>;
}

/** Assentry, and in front of it the conformance server as a process of its own. */
export async function startSuite(): Promise<Suite> {
  const server = await startTestServer();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'assentry-conformance-'));
  const program = [compiled('examples/conformance-server/main.ts'), '--port', '0'];
  const mcp = spawn(process.execPath, program, {
    env: {
      PATH: process.env['PATH'] ?? '',
      ASSENTRY_URL: server.url,
      ASSENTRY_API_KEY: await server.newServerKey('conformance'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(mcp.stdout, 'data')) as [Buffer];
  const url = /http:\S+/.exec(line.toString())?.[0] ?? '';
  return {
    server,
    url,
    runAll: (address, ...options) => runEvery(path.join(directory, randomUUID()), address, options),
    async runAt(address, scenario, ...options) {
      return statusesOf(await runScenario(path.join(directory, randomUUID()), address, scenario, options));
    },
    run: (scenario, ...options) => runScenario(path.join(directory, scenario), url, scenario, options),
    async stop() {
      mcp.kill();
      await rm(directory, { recursive: true, force: true });
      await server.stop();
    },
  };
}

const suite = 'test/support/node22/node_modules/@modelcontextprotocol/conformance/dist/index.js';

const runScenario = (output: string, url: string, scenario: string, options: string[]): Promise<Check[]> =>
  runSuite(output, ['server', '--url', url, '--scenario', scenario, ...options], process.env);

async function runEvery(output: string, url: string, options: string[]): Promise<Record<string, string[]>> {
  await runProgram(['server', '--url', url, ...options, '-o', output], process.env);
  const reports = await reportsIn(output);
  const results = reports.map(async (report) => {
    const checks = JSON.parse(await readFile(path.join(output, report), 'utf8')) as Check[];
    return [scenarioOf(report), statusesOf(checks)] as const;
  });
  return Object.fromEntries(await Promise.all(results));
}

const statusesOf = (checks: Check[]): string[] => checks.map(({ id, status }) => `${id}: ${status}`);

/** Its folder is named by the scenario and the time. */
const scenarioOf = (report: string): string => path.dirname(report).replace(/-\d{4}-\d\d-\d\dT.*$/, '');

async function reportsIn(output: string): Promise<string[]> {
  const files = await readdir(output, { recursive: true }).catch(() => []);
  return files.filter((file) => file.endsWith('checks.json')).toSorted();
}

/** Runs one scenario of the official suite with a program of ours as the client of its server; its checks. */
export async function runClientScenario(
  scenario: string,
  program: string,
  revision: string,
  env: Record<string, string>,
  words: string[] = [],
): Promise<Check[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'assentry-conformance-'));
  const command = [process.execPath, compiled(program), ...words].join(' ');
  const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
  try {
    return await runSuite(directory, args, { ...process.env, ...env });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runSuite(output: string, args: string[], env: NodeJS.ProcessEnv): Promise<Check[]> {
  const text = await runProgram([...args, '-o', output], env);
  const [report] = await reportsIn(output);
  if (report === undefined) throw new TypeError(`The suite ended without a report: ${text}`);
  return JSON.parse(await readFile(path.join(output, report), 'utf8')) as Check[];
}

/** What the suite prints. */
async function runProgram(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(findNode22(), ['--import', './test/conformance/patient.mjs', suite, ...args], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  await once(child, 'close');
  return text;
}

/** What is wrong, in the suite's own words. */
export const complaints = (checks: Check[]): string[] =>
  checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`);
