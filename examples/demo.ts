import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { startServer, type RunningServer } from '../src/server/server.ts';
import type { User } from '#people/directory/contract/user';
import { decideForThem } from './demo-decision.ts';
import { fillWithHistory } from './demo-history.ts';
import { startDemoProvider, type Subject } from './demo-provider.ts';

const usage = `Usage: npm run demo -- [oauth|payment] [options]

Without options, a person decides in the browser. With oauth or payment, a tool wants something of the person who calls
it, at a provider on this machine: who they are there, or money.

  --auto       decides by itself, through the same HTTP API, and ends
  --data       first makes two weeks of history
  --port PORT  serves the console at this port; without it, at any free one
  --help       prints this`;

const say = (sentence = ''): void => void process.stdout.write(`${sentence}\n`);
const { subject, ...values } = readOptions();
const toolCall = { name: 'transfer_funds', arguments: { amount: 1250, to: 'DE89 3704 0044 0532 0130 00' } };
const Result = z.object({ content: z.array(z.object({ text: z.string() })) });

/** When the demo began. While its history is made, the server goes by the time of the history. */
const began = Date.now();
const historyDays = 14;
let past: number | null = values.data ? began - historyDays * 86_400_000 : null;
const now = (): number => past ?? Date.now();

const directory = await mkdtemp(path.join(os.tmpdir(), 'assentry-demo-'));
const closers: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
const stop = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};
const interruption = new AbortController();
const interrupted = new Promise<void>((resolve) => interruption.signal.addEventListener('abort', () => resolve()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

const provider = subject && (await startDemoProvider(subject));
if (provider) closers.push(provider.close);

try {
  await Promise.race([demonstrate(), interrupted]);
  if (!values.auto) await interrupted;
} finally {
  await stop();
}

async function demonstrate(): Promise<void> {
  say('1. Starting Assentry with a PostgreSQL of its own …');
  const server = await startAssentry();
  say(`   It is ready at ${server.url}`);
  if (provider) return provider.demonstrate(server, { say, isAuto: values.auto });
  const approver = values.data ? await makeHistory(server) : await addApprover(server);
  say('2. Starting an MCP server with a tool that moves money, and an MCP client that calls it …');
  const agent = await startAgent(server);
  const questionText = firstQuestion(server);
  say(`3. The client calls ${toolCall.name} ${JSON.stringify(toolCall.arguments)}`);
  const result = agent.callTool(toolCall, undefined, {
    timeout: 3_600_000,
    onprogress: () => {},
    resetTimeoutOnProgress: true,
  });
  const id = await Promise.race([questionText, result.then(reportEarly)]);
  say('   The call is held: no one has approved it yet.');
  const address = await server.signInAddress(approver, `/requests/${id}`);
  if (values.auto) await decideForThem(server.url, address, id, say);
  else
    say(
      `\n   Decide it here, signed in as ${approver.name} (the link works once, for ten minutes):\n\n   ${address}\n`,
    );
  const { content } = Result.parse(await result);
  say(`4. The call resumed. The tool answered: ${content.map(({ text }) => text).join(' ')}`);
  if (!values.auto) say('\n   The console stays open until you press Ctrl-C.');
}

function addApprover(server: RunningServer): Promise<User> {
  return server.addUser({ email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin', password: randomPassword() });
}

async function makeHistory(server: RunningServer): Promise<User> {
  say('   Making two weeks of history: people, policies, and what was asked and decided …');
  const clock = { now, set: (at: number) => void (past = at) };
  const { people, requests } = await fillWithHistory(server, clock, { days: historyDays, perDay: 18, end: began });
  past = null;
  const { size, fault } = await server.verifyLog({ keys: [], kept: [] });
  if (fault !== null) throw new TypeError(fault);
  say(`   ${requests} requests in ${Math.round((Date.now() - began) / 1000)} s; the log of ${size} entries verifies.`);
  say('   Look at History, Insights and Audit.');
  return people.ada;
}

async function startAssentry(): Promise<RunningServer> {
  const settings = {
    host: '127.0.0.1',
    publicUrl: null,
    databaseUrl: null,
    databasePort: null,
    secrets: null,
  } as const;
  const starting = startServer({
    ...settings,
    port: values.port,
    dataDirectory: directory,
    logLevel: 'warn',
    ...(values.data && { now }),
    ...provider?.settings,
    environment: 'trial', // one person decides, even the one who asked
  });
  // Noted before it has started: an interruption in between must stop it too.
  closers.push(() => starting.then((server) => server.stop()).catch(() => {}));
  const server = await starting;
  interruption.signal.throwIfAborted();
  return server;
}

async function startAgent(server: RunningServer): Promise<Client> {
  const key = await server.createServerKey('treasury');
  const client = new Client({ name: 'demo-agent', version: '1.0.0' });
  const program = path.join(import.meta.dirname, `server${path.extname(import.meta.filename)}`);
  const env = { ...process.env, ASSENTRY_URL: server.url, ASSENTRY_API_KEY: key } as Record<string, string>;
  interruption.signal.throwIfAborted();
  closers.push(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...process.execArgv, program, '--stdio'], env }),
  );
  return client;
}

function firstQuestion({ engine }: RunningServer): Promise<string> {
  return new Promise((resolve) => {
    const stopListening = engine.feed.onChange(({ topic, elicitationId }) => {
      if (topic !== 'opened') return;
      stopListening();
      resolve(elicitationId);
    });
  });
}

function reportEarly(result: unknown): never {
  throw new TypeError(`The call ended before anyone was asked: ${JSON.stringify(result)}`);
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values: options, positionals } = parseArgs({
      allowPositionals: true,
      options: { auto: flag, data: flag, help: flag, port: { type: 'string', default: '0' } },
    });
    const subject = readSubject(positionals);
    if (!options.help) return { ...options, subject, port: readPort(options.port) };
    say(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof TypeError ? error.message : String(error)}\n\n${usage}\n`);
    process.exit(2);
  }
}

function readSubject([name, ...more]: string[]): Subject | null {
  if (name === undefined) return null;
  if (more.length === 0 && (name === 'oauth' || name === 'payment')) return name;
  throw new TypeError('Give oauth, payment or nothing.');
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new TypeError('Give --port a number from 0 to 65535.');
}
