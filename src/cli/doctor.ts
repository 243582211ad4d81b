import { describeError } from '#platform/model/problem';
import { type Config, readConfig } from '#platform/config/config';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { readClientEnv } from '#sdk/client/env';
import { readEnvironment, shareEnvironment, type Environment } from '#platform/config/env';
import { isReservedTool } from '#platform/model/names';
import type { Verdict } from '#gateway/calls/show-allowed';
import type { ToolDefinition } from '#gateway/tools/definition';
import type { PinnedTool } from '#gateway/tools/pins';
import { directoryOf, findServing } from '#server/directory-of';
import { keysIn, pinsIn } from '#gateway/command/gateway-folders';
import { asJson, examples, printFindings, right, wrong, type Finding } from './output.ts';

/** Where a node of these settings listens; null if they leave it to the data directory, which has a note of it. */
function nodeOf({ databaseUrl, host, port }: Config): string | null {
  if (databaseUrl === null || port === 0) return null;
  const name = everywhere[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** A node that listens at every address listens at this one. */
const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** What is wrong with the node at this address, and what to do about it; nothing if it serves and warns of nothing. */
export async function findFaults(url: string): Promise<string[]> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(5_000) });
    const { advice = [], detail, title } = (await answer.json().catch(() => ({}))) as Said;
    return answer.ok
      ? advice
      : [detail ?? title ?? `it answers ${answer.status}; look whether something else serves there`];
  } catch (error) {
    const { cause = error } = error as Error; // of a connection, fetch says only that it failed
    return [`look whether it runs, what it logged if it ended, and what is in front of it: ${describeError(cause)}`];
  }
}

interface Said {
  advice?: string[];
  detail?: string;
  title?: string;
}

export const addDoctorCommand = (program: Command): Command =>
  program
    .command('doctor')
    .description(
      'say what of your MCP clients and agents passes, what is held and what is past Assentry; exits with 1 if anything is wrong',
    )
    .option(...asJson)
    .addHelpText(...examples('assentry doctor', 'assentry doctor --json'))
    .action(examine);

async function examine({ json }: { json?: boolean }): Promise<void> {
  const { own, theirs } = shareEnvironment();
  const directory = directoryOf(readConfig(own));
  const url = readClientEnv().url ?? (await findServing(directory)) ?? nodeOf(readConfig(readEnvironment()));
  const home = homedir();
  const machine = {
    home,
    platform: process.platform,
    variables: theirs,
    claudeFolder: theirs['CLAUDE_CONFIG_DIR'],
    codexHome: theirs['CODEX_HOME'],
    cwd: process.cwd(),
  };
  const findings = [
    ...(await examineServing(url)),
    ...(await examineClients(
      { ...machine, appData: theirs['APPDATA'], localAppData: theirs['LOCALAPPDATA'] },
      pinsIn(directory),
    )),
    ...(await examineTools(directory, url)),
    ...(await examineHooks(machine)),
  ];
  printFindings(json, findings);
}

async function examineServing(url: string | null): Promise<Finding[]> {
  if (url === null)
    return [
      wrong('Assentry', 'it does not run here; start "assentry serve", or a wrapped server, or set ASSENTRY_URL'),
    ];
  const faults = await findFaults(url);
  return faults.length === 0
    ? [right('Assentry', `answers at ${url}`)]
    : faults.map((fault) => wrong('Assentry', `at ${url}: ${fault}`));
}

async function examineClients(
  machine: Parameters<typeof import('#gateway/import/clients').configurationsOn>[0] & {
    variables: Environment;
  },
  pins: string,
) {
  const { configurationsOn, unread } = await import('#gateway/import/clients');
  const { examineServers, readIfThere } = await import('#gateway/import/rewrite');
  const findings: Finding[] = [];
  const looked = new Set<string>();
  for (const { client, file, paths } of configurationsOn(machine)) {
    const text = looked.has(file) ? null : await readIfThere(file);
    looked.add(file); // the home directory may be the project
    if (text === null) continue;
    const servers = examineServers(text, paths, machine.variables);
    if (!servers) findings.push(wrong(client, `${file} cannot be read; correct it`));
    for (const { name, way, server, reaches } of servers ?? []) {
      const about = `${client}, server ${name}`;
      if (way === 'past')
        findings.push(wrong(about, 'runs past the gateway; "assentry gateway import --write" changes that'));
      else if (way === 'unfit')
        findings.push(
          wrong(about, 'is past the gateway, in a form that import cannot change; write "assentry wrap" there'),
        );
      else if (server !== null && reaches !== null && (await isOther(pins, server, reaches)))
        findings.push(
          wrong(
            about,
            `runs ${reaches} as ${server}, which was accepted for something else: its calls wait until someone accepts that, as "assentry gateway pin" shows`,
          ),
        );
      else findings.push(right(about, `runs behind the gateway${server === null ? '' : ` as ${server}`}`));
    }
  }
  return [...findings, ...unread.map((place) => right('not looked at', place))];
}

/** Was something else accepted under this name? */
async function isOther(pins: string, server: string, reaches: string): Promise<boolean> {
  const { acceptedReach } = await import('#gateway/tools/pins');
  const accepted = await acceptedReach(pins, server);
  return accepted !== null && accepted !== reaches;
}

/** Of every server that was wrapped here and has shown its tools. */
async function examineTools(directory: string, url: string | null): Promise<Finding[]> {
  const { listPins, isServerPin, reachIn } = await import('#gateway/tools/pins');
  const pins = await listPins(pinsIn(directory));
  const servers = [...new Set(pins.map(({ server }) => server))];
  const all = servers.map(async (server): Promise<Finding[]> => {
    const own = pins.filter((pin) => pin.server === server && !isReservedTool(pin.accepted.name));
    const reach = pins.find((pin) => pin.server === server && isServerPin(pin.accepted));
    const blocked = own.filter(({ changed }) => changed !== null).map(({ accepted }) => accepted.name);
    const changed = wrong(
      server,
      `blocked, because they have changed: ${blocked.join(', ')}; read "assentry gateway pin"`,
    );
    const unchanged = own.filter(({ changed }) => changed === null);
    const elsewhere = wrong(
      server,
      'something else ran under this name and waits to be accepted; read "assentry gateway pin"',
    );
    return [
      ...(reach?.changed ? [elsewhere] : []),
      ...(blocked.length > 0 ? [changed] : []),
      ...(await examineVerdicts({ server, reaches: reach ? reachIn(reach.accepted) : '' }, unchanged, directory, url)),
    ];
  });
  return (await Promise.all(all)).flat();
}

async function examineVerdicts(
  { server, reaches }: { server: string; reaches: string },
  pins: PinnedTool[],
  directory: string,
  url: string | null,
): Promise<Finding[]> {
  const apiKey = (await readFile(path.join(keysIn(directory), server), 'utf8').catch(() => '')).trim();
  if (url === null || apiKey === '' || pins.length === 0) return [];
  const { createClient } = await import('#sdk/client/client');
  const { verdictsOn } = await import('#gateway/calls/show-allowed');
  const { KnownTools } = await import('#gateway/tools/known-tools');
  const { localPrincipal } = await import('#gateway/identity/caller');
  const unaccepted = pins.filter(({ standing }) => standing !== 'accepted').map(({ accepted }) => accepted);
  const unseen = pins.filter(({ standing }) => standing === 'unseen').map(({ accepted }) => accepted.name);
  const asking = {
    client: Promise.resolve(createClient({ url, apiKey })),
    tools: new KnownTools(async () => ({})),
    reaches,
    isAccepted: async (tool: ToolDefinition) => !unaccepted.includes(tool),
  };
  try {
    const definitions = pins.map(({ accepted }) => accepted);
    const verdicts = await verdictsOn(asking, localPrincipal(), definitions);
    const named = (verdict: Verdict): string =>
      verdicts.flatMap(([name, own]) => (own === verdict ? name : [])).join(', ') || 'none';
    return [
      right(server, `pass: ${named('free')}`),
      ...(unseen.length === 0
        ? []
        : [right(server, `wait until someone looks at them in the console, once for all: ${unseen.join(', ')}`)]),
      right(server, `wait for a person, unless a policy allows exactly their arguments: ${named('held')}`),
      right(server, `are denied by a policy: ${named('denied')}`),
    ];
  } catch (error) {
    return [wrong(server, `Assentry does not say what holds for its tools: ${(error as Error).message}`)];
  }
}

async function examineHooks(machine: Parameters<typeof import('#gateway/harness/check-hooks').checkHere>[0]) {
  const { checkHere } = await import('#gateway/harness/check-hooks');
  return checkHere(machine).flatMap(({ harness, findings, limits }) => [
    ...(findings.length === 0
      ? [right(harness, 'the hook judges every call here')]
      : findings.map((sentence) => wrong(harness, sentence))),
    ...limits.map((sentence) => right(harness, sentence)),
  ]);
}
