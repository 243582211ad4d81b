import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { AssentryClient } from '#sdk/client/client';
import { readClientEnv } from '#sdk/client/env';
import { readConfig } from '#platform/config/config';
import { shareEnvironment } from '#platform/config/env';
import { harnesses, hookEvents, type Harness, type HookEventName } from '../adapters/harness.ts';
import type { InstalledHook, InstallOptions } from '../install-hooks.ts';
import { readInput } from '../socket.ts';
import { directoryOf } from '#server/directory-of';
import { joinOrchestrator } from '#cli/join';
import { ownProgram } from '#cli/own-program';
import { asJson, examples, printResult, assertOption } from '#cli/output';

const defaultTimeout = 600;

export function addHookCommands(program: Command): void {
  const hook = program.command('hook').description('let people approve the built-in tools of coding agents');
  hook
    .command('install')
    .description('add the hook to the settings of the agents here; shows what would change, unless told to write')
    .option('--harness <names...>', `only these: ${harnesses.join(', ')}`)
    .option('--event <name>', `which calls are judged: ${hookEvents.join(', or ')}`, hookEvents[0])
    .option('--timeout <seconds>', 'how long the agent waits for the hook', String(defaultTimeout))
    .option('--write', 'write the settings, and keep what was before next to them')
    .option('--undo', 'take the hook out again')
    .option('--managed', 'in the settings of this machine, which no project and person switches off; may need root')
    .option(...asJson)
    .addHelpText(...examples('assentry hook install', 'assentry hook install --harness codex --write'))
    .action(installHooks);
  hook
    .command('check')
    .description('say what lets calls of the agents run past the hook in this project; exits with 1 if anything does')
    .option(...asJson)
    .addHelpText(...examples('assentry hook check'))
    .action(checkHooks);
  for (const harness of harnesses)
    hook
      .command(harness)
      .description(`answer an event of ${harness}, which is on standard input`)
      .option('--timeout <seconds>', 'how long the agent waits', String(defaultTimeout))
      .option('--data-dir <directory>', 'the data directory, in place of ASSENTRY_DATA_DIR')
      .option('--url <url>', 'where Assentry answers, if not on the data directory; needs ASSENTRY_API_KEY')
      .addHelpText(...examples(`assentry hook ${harness} < event.json`))
      .action((options: RunOptions) => runHook(harness, options));
}

interface RunOptions {
  timeout: string;
  dataDir?: string;
  url?: string;
}

/** Exits with 2 if the event cannot be read, so that the agent does not run the call. */
async function runHook(harness: Harness, { timeout, dataDir, url }: RunOptions): Promise<void> {
  const seconds = readTimeout(timeout);
  const { endLate } = await import('../judge-event.ts');
  endLate((seconds - 5) * 1000);
  const leaving = new AbortController();
  process.once('SIGTERM', () => leaving.abort()); // the agent's own person said no
  // Imported late, so that neither help nor the end of a call waits for it.
  const { answerEvent } = await import('./answer.ts');
  const directory = directoryWith(dataDir);
  const { output, words, code } = await answerEvent({
    harness,
    bytes: await readInput(),
    directory,
    client: findClient(harness, directory, url),
    seconds,
    home: homedir(),
    program: ownProgram(),
    variables: shareEnvironment().theirs,
    signal: leaving.signal,
  });
  process.stderr.write(words);
  process.stdout.write(output, () => process.exit(code)); // a request that is left need not be waited for
}

/** The Assentry that the hook was installed for; the environment may be set by a project. */
async function findClient(harness: Harness, directory: string, url: string | undefined): Promise<AssentryClient> {
  if (url === undefined) return joinOrchestrator(directory, harness);
  const { createClient } = await import('#sdk/client/client');
  return createClient({ url, retries: 3 });
}

function directoryWith(dataDir: string | undefined): string {
  const { own } = shareEnvironment();
  return directoryOf(readConfig({ ...own, ...(dataDir !== undefined && { ASSENTRY_DATA_DIR: dataDir }) }));
}

interface HookInstallOptions {
  harness?: string[];
  event: string;
  timeout: string;
  write?: boolean;
  undo?: boolean;
  managed?: boolean;
  json?: boolean;
}

async function installHooks(options: HookInstallOptions): Promise<void> {
  const { harness, event, timeout, write = false, undo = false, managed = false, json } = options;
  const unknown = (harness ?? []).find((name) => !harnesses.some((candidate) => candidate === name));
  assertOption('--harness', unknown === undefined, `Give one of ${harnesses.join(', ')}.`);
  assertOption('--event', isHookEvent(event), `Give one of ${hookEvents.join(', ')}.`);
  const adapters = await loadAdapters();
  const able = harnesses.filter((name) => adapters[name].events.some((each) => each === event));
  const unable = harnesses.find((name) => harness?.includes(name) && !able.includes(name));
  assertOption('--event', unable === undefined, `Leave it out: ${unable} has ${hookEvents[0]} alone.`);
  const seconds = readTimeout(timeout);
  const { hookFilesIn, installHook, managedFileOn } = await import('../install-hooks.ts');
  const { own, theirs } = shareEnvironment();
  const home = homedir();
  const directory = directoryOf(readConfig(own));
  const words = {
    program: ownProgram(),
    directory,
    url: readClientEnv().url,
    event: event as HookEventName,
    timeout: seconds,
  };
  const places = managed
    ? [{ harness: 'claude-code' as const, file: managedFileOn(process.platform), isManaged: true }]
    : hookFilesIn({ home, variables: theirs });
  const files = places.filter((place) => harness?.includes(place.harness) ?? able.includes(place.harness));
  const hooks: InstalledHook[] = [];
  for (const file of files) hooks.push(await installHook(file, { words, undo, write }));
  const next = undo ? [restart] : [`${restart} In Codex, look at the hook with /hooks and trust it.`, checkProjects];
  const lines = hooks.flatMap((installed) => formatInstalled(installed, { undo, write }));
  printResult(
    json,
    { hooks, written: write },
    hooks.length === 0 ? [await formatNoAgent()] : [...lines, ...(write ? next : [notYet])],
  );
}

async function checkHooks({ json }: { json?: boolean }): Promise<void> {
  const { checkHere } = await import('../check-hooks.ts');
  const { theirs } = shareEnvironment();
  const place = { home: homedir(), cwd: process.cwd(), platform: process.platform, variables: theirs };
  const agents = checkHere(place);
  const lines = agents.flatMap(({ harness, findings, limits }) => [
    ...(findings.length === 0
      ? [`${harness}: the hook judges every call here`]
      : findings.map((line) => `${harness}: ${line}`)),
    ...limits.map((line) => `${harness}: ${line}`),
  ]);
  printResult(json, { agents }, agents.length === 0 ? [await formatNoAgent()] : lines);
  if (agents.some(({ findings }) => findings.length > 0)) process.exitCode = 1;
}

/** Loaded on demand, so that no other command waits for them. */
const loadAdapters = async () => (await import('../adapters/adapters.ts')).adapters;

async function formatNoAgent(): Promise<string> {
  const titles = Object.values(await loadAdapters()).map(({ title }) => title);
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(titles);
  return `Start ${names} once, and run this again: none of them keeps settings here yet.`;
}

const restart = 'Start the agents again.';
const checkProjects =
  'Run "assentry hook check" in a project before you trust it: its settings and plugins may end the hook, or run programs without it.';
const notYet = 'Nothing is written yet: add --write to do it.';
const isHookEvent = (text: string): text is HookEventName => hookEvents.some((event) => event === text);

function readTimeout(text: string): number {
  const isRight = /^\d{1,4}$/.test(text) && Number(text) >= 60;
  assertOption('--timeout', isRight, 'Give whole seconds, from 60 to 9999.');
  return Number(text);
}

function formatInstalled(
  { harness, file, change, backup }: InstalledHook,
  { undo, write }: Pick<InstallOptions, 'undo' | 'write'>,
): string[] {
  const [now, later, already] = undo
    ? ['no longer has the hook', 'would lose the hook', 'has no hook']
    : ['now has the hook', 'would get the hook', 'has the hook already'];
  const sentences = {
    rewritten: `${file} ${write ? now : later}`,
    same: `${file} ${already}`,
    unfit: `${file} is left alone, because it cannot be read`,
  };
  return [`${harness}: ${sentences[change]}`, ...(backup === null ? [] : [`  As it was before: ${backup}`])];
}
