import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { hasScreen } from '#platform/config/env';
import { directoryOf, findServing } from '#server/directory-of';
import { examples, printProgress, printResult } from './output.ts';
import { ownScript } from './own-program.ts';
import { serve } from './serve.ts';
import { readSettings } from './settings.ts';

export const addStartCommand = (program: Command): Command =>
  program
    .command('start')
    .description(
      'start Assentry, open it in the browser, and offer to put the MCP clients and coding agents of this machine behind it; the command without a name',
    )
    .addHelpText(...examples('assentry', 'npx assentry'))
    .action(start);

async function start(): Promise<void> {
  const settings = readSettings();
  const url = settings.databaseUrl === null ? await findServing(directoryOf(settings)) : null;
  if (url === null) return serve({}, ({ url: here, setUp }, ending) => welcome(setUp ?? here, ending));
  printResult(false, {}, [`Assentry runs already at ${url}`]);
  await welcome(url, new AbortController().signal);
}

/** A person at a terminal gets the page in the browser, and is asked what to put behind Assentry. */
async function welcome(page: string, ending: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return;
  if (hasScreen()) await openPage(page);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT')); // as without a question
  try {
    for (const offer of offers) await propose(offer, (sentence) => terminal.question(sentence, { signal: ending }));
  } catch (error) {
    if (!ending.aborted) throw error;
  } finally {
    terminal.close();
  }
}

async function openPage(page: string): Promise<void> {
  const { default: open } = await import('open');
  const browser = await open(page);
  browser.on('error', () => printProgress('Open the address above in a browser: none could be started here.'));
}

/** A command that plans with `--json`, and does it with `--write`. */
interface Offer {
  words: string[];
  question: string;
  later: string;
  /** What the plan would change, a line each. */
  changes(plan: Plan): string[];
}

interface Plan {
  files?: { client: string; servers: { name: string; change: string }[] | null }[];
  hooks?: { harness: string; file: string; change: string }[];
}

const offers: Offer[] = [
  {
    words: ['gateway', 'import'],
    question: 'Let people approve what the tools of these MCP servers do?',
    later: 'assentry gateway import',
    changes: ({ files = [] }) =>
      files.flatMap(({ client, servers }) =>
        (servers ?? []).filter(({ change }) => change === 'rewritten').map(({ name }) => `${name} in ${client}`),
      ),
  },
  {
    words: ['hook', 'install'],
    question: 'Let people approve what the built-in tools of these agents do?',
    later: 'assentry hook install',
    changes: ({ hooks = [] }) =>
      hooks.filter(({ change }) => change === 'rewritten').map(({ harness, file }) => `${harness}, by ${file}`),
  },
];

async function propose(
  { words, question, later, changes }: Offer,
  ask: (sentence: string) => Promise<string>,
): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [ownScript(), ...words, '--json']);
  const lines = changes(JSON.parse(stdout) as Plan);
  if (lines.length === 0) return;
  printResult(false, {}, ['', 'Found on this machine:', ...lines.map((line) => `  ${line}`)]);
  const answer = await ask(`${question} What was before is kept. [Y/n] `);
  if (!/^y?(?:es)?$/i.test(answer.trim())) return printProgress(`Nothing is changed. Later: ${later}`);
  await once(spawn(process.execPath, [ownScript(), ...words, '--write'], { stdio: 'inherit' }), 'close');
}
