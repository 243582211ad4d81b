import type { Command } from 'commander';
import { readClientEnv } from '#sdk/client/env';
import { readConfig } from '#platform/config/config';
import { shareEnvironment, type Environment } from '#platform/config/env';
import { placeHere } from '../reach/starters.ts';
import { reachOfCommand } from '../reach/reach.ts';
import { freeName, isServerName, serverNameOf, serverNameRule } from '../authorization-config.ts';
import { startProcess } from '../upstreams/stdio.ts';
import { directoryOf } from '#server/directory-of';
import { pinsIn } from './gateway-folders.ts';
import { openOrchestrator, type Orchestrator } from '#cli/orchestrator';
import { examples, printProblem, printProgress, assertOption } from '#cli/output';

export const addWrapCommand = (program: Command): Command =>
  program
    .command('wrap')
    .description('run an MCP server so that people approve what its tools do')
    .argument('<command...>', 'the command that starts the server over stdio, after --')
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
      ),
    )
    .action(wrapServer);

const settingsHelp = `
With ASSENTRY_URL and ASSENTRY_API_KEY it asks there. Without them it runs Assentry itself, in ASSENTRY_DATA_DIR, or
uses the one that already runs there. The server inherits every variable but those that begin with ASSENTRY_.`;

interface WrapOptions {
  server?: string;
  variables?: string[];
  allowMethods?: string[];
  allowMeta?: string[];
  describeHeld?: boolean;
  dataDir?: string;
}

async function wrapServer(words: string[], options: WrapOptions): Promise<void> {
  const { variables = [], allowMethods, allowMeta, describeHeld, dataDir } = options;
  if (options.server !== undefined) assertOption('--server', isServerName(options.server), serverNameRule);
  const { own, theirs } = shareEnvironment();
  const environment = {
    ASSENTRY_LOG_LEVEL: 'warn',
    ...own,
    ...(dataDir !== undefined && { ASSENTRY_DATA_DIR: dataDir }),
  };
  const directory = directoryOf(readConfig(environment)); // chosen once, since a file in the directory may change the choice
  const place = placeHere();
  const named = Object.fromEntries(variables.map((name) => [name, theirs[name]]));
  const reaches = reachOfCommand({ words, own: named, inherited: theirs }, place);
  const pins = pinsIn(directory);
  const server = options.server ?? (await nameServer(pins, serverNameOf(words, place), reaches));
  const [command = '', ...args] = words;
  const upstream = await startProcess({ command, args, env: theirs }); // it starts while the gateway is loaded
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const { wrap } = await import('../wrap.ts');
  const finding = findOrchestrator(directory, environment, server);
  finding.catch((error) => {
    printProblem(error);
    process.exitCode = 2;
  });
  const { answerInTime } = await import('../calls/answer-in-time.ts');
  const client = finding.then((orchestrator) => answerInTime(orchestrator.client));
  client.catch(() => {}); // it was reported
  const { stdin, stdout } = process;
  const { findOwnFiles } = await import('#cli/own-files');
  const ownFiles = findOwnFiles(directory, { words });
  const streams = { stdin, stdout, warn: printProgress, signal: stopping.signal };
  try {
    const code = await wrap({
      upstream,
      server,
      reaches,
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
