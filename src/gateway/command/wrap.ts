import { Option, type Command } from 'commander';
import type { AssentryClient } from '#sdk/client/client';
import { readClientEnv } from '#sdk/client/env';
import { Resource } from '#connect/providers/auto';
import { readConfig } from '#platform/config/config';
import { shareEnvironment, type Environment } from '#platform/config/env';
import { placeHere } from '../reach/starters.ts';
import { reachOfAddress, reachOfCommand } from '../reach/reach.ts';
import { freeName, isServerName, serverNameOf, serverNameRule } from '../authorization-config.ts';
import { startProcess, type ServerProcess } from '../upstreams/stdio.ts';
import { directoryOf } from '#server/directory-of';
import { pinsIn } from './gateway-folders.ts';
import { openOrchestrator, type Orchestrator } from '#cli/orchestrator';
import { examples, printProblem, printProgress, assertOption } from '#cli/output';

export const addWrapCommand = (program: Command): Command =>
  program
    .command('wrap')
    .description('run an MCP server so that people approve what its tools do')
    .argument('[command...]', 'the command that starts the server over stdio, after --')
    .option('--url <address>', 'the address of a server over HTTP, in place of a command')
    .option('--header <name=value...>', 'headers that the address gets with each request')
    .option(
      '--header-from <name=variable...>',
      'headers whose values are in variables, where no list of processes shows them',
    )
    .addOption(new Option('--was <entry>', 'the entry before an import').hideHelp())
    .option('--server <name>', 'the name approvers see and policies match (default: by the command)')
    .option(
      '--variables <names...>',
      'further variables that say what the server reaches; another value is another server',
    )
    .option('--allow-methods <names...>', 'methods that MCP does not have, and that pass to the server unjudged')
    .option('--allow-meta <names...>', 'members of the _meta of a call that pass to the server unseen')
    .option('--describe-held', 'say in the descriptions of tools whose calls wait that they do; models read it')
    .option('--data-dir <directory>', 'the data directory, in place of ASSENTRY_DATA_DIR')
    .addHelpText('after', settingsHelp)
    .addHelpText(
      ...examples(
        'assentry wrap -- npx -y @modelcontextprotocol/server-filesystem ~/work',
        'assentry wrap --server files -- npx -y @modelcontextprotocol/server-filesystem ~/work',
        'assentry wrap --url https://mcp.example.com/mcp',
      ),
    )
    .action(wrapServer);

const settingsHelp = `
With ASSENTRY_URL and ASSENTRY_API_KEY it asks there. Without them it runs Assentry itself, in ASSENTRY_DATA_DIR, or
uses the one that already runs there. The server inherits every variable but those that begin with ASSENTRY_. A
server at an address that takes no one without a token names its sign-in itself; its person agrees on a page.`;

interface WrapOptions {
  server?: string;
  url?: string;
  header?: string[];
  headerFrom?: string[];
  variables?: string[];
  allowMethods?: string[];
  allowMeta?: string[];
  describeHeld?: boolean;
  dataDir?: string;
}

async function wrapServer(words: string[], options: WrapOptions): Promise<void> {
  const { allowMethods, allowMeta, describeHeld, dataDir } = options;
  if (options.server !== undefined) assertOption('--server', isServerName(options.server), serverNameRule);
  const { own, theirs } = shareEnvironment();
  const environment = {
    ASSENTRY_LOG_LEVEL: 'warn',
    ...own,
    ...(dataDir !== undefined && { ASSENTRY_DATA_DIR: dataDir }),
  };
  const directory = directoryOf(readConfig(environment)); // chosen once, since a file in the directory may change the choice
  const wrapped = readWrapped(words, options, theirs);
  const pins = pinsIn(directory);
  const server = options.server ?? (await nameServer(pins, wrapped.name, wrapped.reaches));
  let give: (client: Promise<AssentryClient>) => void = () => {};
  const client = new Promise<AssentryClient>((resolve) => (give = resolve));
  client.catch(() => {}); // it is reported where it is found
  const upstream = await wrapped.start(server, client); // it starts while the gateway is loaded
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const { wrap } = await import('../wrap.ts');
  const finding = findOrchestrator(directory, environment, server);
  finding.catch((error) => {
    printProblem(error);
    process.exitCode = 2;
  });
  const { answerInTime } = await import('../calls/answer-in-time.ts');
  give(finding.then((orchestrator) => answerInTime(orchestrator.client)));
  const { stdin, stdout } = process;
  const { findOwnFiles } = await import('#cli/own-files');
  const ownFiles = findOwnFiles(directory, { words });
  const streams = { stdin, stdout, warn: printProgress, signal: stopping.signal };
  try {
    const code = await wrap({
      upstream,
      server,
      reaches: wrapped.reaches,
      pins,
      ownFiles,
      client,
      allowances: { allowMethods, allowMeta },
      describesHeld: describeHeld,
      ...streams,
    });
    process.exitCode ??= code;
  } finally {
    await finding.then((orchestrator) => orchestrator.stop()).catch(() => {});
    stdin.destroy();
  }
}

/** A server to be wrapped: its name, what it reaches, and its start. */
interface Wrapped {
  name: string;
  reaches: string;
  start(server: string, client: Promise<AssentryClient>): Promise<ServerProcess>;
}

function readWrapped(words: string[], options: WrapOptions, theirs: NodeJS.ProcessEnv): Wrapped {
  const { url, variables = [] } = options;
  assertOption('--url', (url === undefined) !== (words.length === 0), 'Give it, or a command after --.');
  if (url !== undefined) return readRemote(url, options, theirs);
  const place = placeHere();
  const named = Object.fromEntries(variables.map((name) => [name, theirs[name]]));
  const reaches = reachOfCommand({ words, own: named, inherited: theirs }, place);
  const [command = '', ...args] = words;
  return { name: serverNameOf(words, place), reaches, start: () => startProcess({ command, args, env: theirs }) };
}

function readRemote(url: string, { header = [], headerFrom = [] }: WrapOptions, theirs: NodeJS.ProcessEnv): Wrapped {
  assertOption('--url', Resource.safeParse(url).success, 'Give https, or http on this machine, without a fragment.');
  const written = readHeaders('--header', header);
  const named = readHeaders('--header-from', headerFrom);
  const values = Object.entries(named).map(([name, variable]) => [name, theirs[variable]] as const);
  const missing = values.find(([, value]) => value === undefined || value === '');
  assertOption('--header-from', !missing, `Set ${named[missing?.[0] ?? '']}, or leave the header out.`);
  const headers = { ...written, ...(Object.fromEntries(values) as Record<string, string>) };
  const isHeld = Object.values(headers).every((value) => /^[\t -~]*$/.test(value));
  assertOption('--header', isHeld, 'Give values of letters, digits and signs alone.');
  return {
    name: serverNameOf([url], placeHere()),
    reaches: reachOfAddress(url, written),
    async start(server, client) {
      const { startRemote } = await import('../relay/start-remote.ts');
      return startRemote({ server, url, headers, client, warn: printProgress });
    },
  };
}

/** Headers that belong to the transport, and are not the person's to set. */
const ofTransport =
  /^(?:accept|connection|content-length|content-type|host|last-event-id|mcp-.*|te|trailer|transfer-encoding|upgrade)$/;

function readHeaders(option: string, texts: string[]): Record<string, string> {
  const pairs = texts.map((text) => /^([\w!#$%&'*+.^`|~-]+)=(.*)$/s.exec(text)?.slice(1) ?? []);
  const isFit = pairs.every(([name]) => name !== undefined && !ofTransport.test(name.toLowerCase()));
  assertOption(option, isFit, 'Give NAME=VALUE, and no header of the transport.');
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]));
}

/** Names a server by its command; a number is added if another server has that name. */
async function nameServer(pins: string, name: string, reaches: string): Promise<string> {
  const free = await freeName(pins, name, reaches);
  if (free !== name)
    printProgress(
      `${name} is another server here, so this one is ${free}; give it a name with --server. It runs ${reaches}`,
    );
  return free;
}

/** The Assentry named in the settings, else one of our own. */
async function findOrchestrator(directory: string, environment: Environment, server: string): Promise<Orchestrator> {
  const { url, apiKey } = readClientEnv();
  if (url === undefined && apiKey === undefined) return openOrchestrator({ directory, environment }, server);
  const { createClient } = await import('#sdk/client/client');
  return { client: createClient(), stop: async () => {} };
}
