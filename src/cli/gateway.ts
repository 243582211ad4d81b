import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Command } from 'commander';
import { createClient } from '../client/client.ts';
import { readClientEnv } from '../client/env.ts';
import { readConfig } from '../config/config.ts';
import { shareEnvironment } from '../config/env.ts';
import { clientNames, configurationsOn, type ClientConfiguration } from '../gateway/import/clients.ts';
import type { ImportedFile } from '../gateway/import/import-configurations.ts';
import { isServerName, serverNameOf, serverNameRule } from '../gateway/server-name.ts';
import type { PinnedTool } from '../gateway/tools/pins.ts';
import { directoryOf } from '../installation/directory-of.ts';
import { asJson, examples, printProblem, printProgress, printResult, refuseWrong } from './terminal/output.ts';
import { ownProgram } from './own-program.ts';
import { openOrchestrator, type Orchestrator } from './own-orchestrator.ts';
import { pinsIn, serveGateway } from './serve-gateway.ts';
import { readSettings } from './terminal/settings.ts';

export const addWrapCommand = (program: Command): Command =>
  program
    .command('wrap')
    .description('run an MCP server so that people approve what its tools do')
    .argument('<command...>', 'the command that starts the server over stdio, after --')
    .option('--server <name>', 'the name approvers see and policies match (default: by the command)')
    .option('--allow-methods <names...>', 'methods that MCP does not have, and that pass to the server unjudged')
    .option('--allow-meta <names...>', 'members of the _meta of a call that pass to the server unseen')
    .option('--data-dir <directory>', 'the data directory, in place of ASSENTRY_DATA_DIR')
    .addHelpText('after', settingsHelp)
    .addHelpText(
      ...examples(
        'assentry wrap -- npx -y @modelcontextprotocol/server-filesystem ~/work',
        'assentry wrap --server files -- npx -y @modelcontextprotocol/server-filesystem ~/work',
      ),
    )
    .action(wrapServer);

export function addGatewayCommands(program: Command): void {
  const gateway = program
    .command('gateway')
    .description('stand in front of MCP servers over HTTP; or show what the gateway knows of its servers')
    .option('--config <file>', 'the YAML file with the servers; serves each at /u/NAME/mcp')
    .addHelpText(...examples('assentry gateway --config gateway.yaml'))
    .action(async ({ config }: { config?: string }) => {
      if (config === undefined) return gateway.help({ error: true });
      await serveGateway(config);
    });
  gateway
    .command('pin')
    .description('show the tools whose definition has changed, and accept a change that you have read')
    .option('--accept <digest>', 'accept the changed definition of this digest')
    .option('--all', 'also show the tools that have not changed')
    .option(...asJson)
    .addHelpText(...examples('assentry gateway pin', 'assentry gateway pin --accept 3a7bd3e2…'))
    .action(pinTools);
  gateway
    .command('import')
    .description(
      'put the servers of your MCP clients behind the gateway; shows what would change, unless told to write',
    )
    .option('--client <names...>', `only these: ${clientNames.join(', ')}`)
    .option('--project', 'also the files of the project in this folder, which get paths of this machine')
    .option('--write', 'write the configurations, and keep what was before next to them')
    .option('--undo', 'start the servers as before')
    .option(...asJson)
    .addHelpText(...examples('assentry gateway import', 'assentry gateway import --client cursor --write'))
    .action(importServers);
}

const settingsHelp = `
With ASSENTRY_URL and ASSENTRY_API_KEY it asks there. Without them it runs Assentry itself, in ASSENTRY_DATA_DIR, or
uses the one that already runs there. The server inherits every variable but those that begin with ASSENTRY_.`;

interface WrapOptions {
  server?: string;
  allowMethods?: string[];
  allowMeta?: string[];
  dataDir?: string;
}

async function wrapServer(words: string[], options: WrapOptions): Promise<void> {
  const { server = serverNameOf(words), allowMethods, allowMeta, dataDir } = options;
  refuseWrong('--server', isServerName(server), serverNameRule);
  const { own, theirs } = shareEnvironment();
  const quiet = { ASSENTRY_LOG_LEVEL: 'warn', ...own };
  const named = readSettings({ ...quiet, ...(dataDir !== undefined && { ASSENTRY_DATA_DIR: dataDir }) });
  const directory = directoryOf(named);
  const settings = { ...named, dataDirectory: directory }; // chosen once: what is in it may change the choice
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const finding = findOrchestrator(settings, server);
  finding.catch((error) => {
    printProblem(error);
    process.exitCode = 2;
    stopping.abort(); // nothing could ever be approved
  });
  const { wrap } = await import('../gateway/wrap.ts'); // so that help and mistakes do not wait for all of it
  const [command = '', ...args] = words;
  const { answerInTime } = await import('../gateway/calls/answer-in-time.ts');
  const client = finding.then((orchestrator) => answerInTime(orchestrator.client));
  client.catch(() => {}); // it was reported
  const { stdin, stdout } = process;
  const pins = pinsIn(directory);
  const { findOwnFiles } = await import('./terminal/own-files.ts');
  const ownFiles = findOwnFiles(directory, { words });
  const streams = { stdin, stdout, warn: printProgress, signal: stopping.signal };
  try {
    const code = await wrap({
      command,
      args,
      env: theirs,
      server,
      pins,
      ownFiles,
      client,
      allowances: { allowMethods, allowMeta },
      ...streams,
    });
    process.exitCode ??= code;
  } finally {
    await finding.then((orchestrator) => orchestrator.stop()).catch(() => {});
    stdin.destroy();
  }
}

/** The one that the settings name, else one of our own. */
async function findOrchestrator(settings: ReturnType<typeof readSettings>, server: string): Promise<Orchestrator> {
  const { url, apiKey } = readClientEnv();
  const isNamed = url !== undefined || apiKey !== undefined;
  return isNamed ? { client: createClient(), stop: async () => {} } : openOrchestrator(settings, server);
}

interface PinOptions {
  accept?: string;
  all?: boolean;
  json?: boolean;
}

async function pinTools({ accept, all = false, json }: PinOptions): Promise<void> {
  const { acceptPin, listPins } = await import('../gateway/tools/pins.ts'); // so that help does not wait for it
  const folder = pinsIn(directoryOf(readSettings(shareEnvironment().own)));
  if (accept !== undefined) {
    refuseWrong(
      '--accept',
      /^[0-9a-f]{64}$/.test(accept),
      'Give the whole digest, as "assentry gateway pin" shows it.',
    );
    const tools = (await acceptPin(folder, accept)).map((pin) => ({ server: pin.server, tool: pin.accepted.name }));
    const sentences = tools.map(({ server, tool }) => `${tool} of ${server} is accepted as it is now.`);
    return printResult(json, { tools, digest: accept }, [...sentences, 'Start the client again to see it.']);
  }
  const pins = (await listPins(folder)).filter(({ changed }) => all || changed !== null);
  const nothing = ['No tool has changed since it was accepted.'];
  printResult(json, { tools: pins }, pins.length === 0 ? nothing : pins.flatMap(sayPin));
}

function sayPin({ server, accepted, changed }: PinnedTool): string[] {
  if (!changed) return [`${server} ${accepted.name}: as accepted`];
  const members = new Set([...Object.keys(accepted), ...Object.keys(changed.definition)]);
  const parts = [...members].flatMap((member) => sayChange(member, accepted[member], changed.definition[member]));
  return [
    `${server} ${accepted.name}: has changed, and is blocked`,
    ...parts,
    `  To accept it: assentry gateway pin --accept ${changed.digest}`,
  ];
}

/** Both sides in full: what is hidden in one of them is spelled out when it is printed. */
function sayChange(member: string, before: unknown, after: unknown): string[] {
  const [first, other] = [before, after].map((part) => (part === undefined ? 'nothing' : JSON.stringify(part)));
  return first === other ? [] : [`  ${member} was ${first}`, `  ${' '.repeat(member.length)} is  ${other}`];
}

interface ImportOptions {
  client?: string[];
  project?: boolean;
  write?: boolean;
  undo?: boolean;
  json?: boolean;
}

async function importServers({
  client,
  project = false,
  write = false,
  undo = false,
  json,
}: ImportOptions): Promise<void> {
  const unknown = (client ?? []).find((name) => !clientNames.includes(name));
  refuseWrong('--client', unknown === undefined, `Give one of ${clientNames.join(', ')}.`);
  const { importConfigurations } = await import('../gateway/import/import-configurations.ts');
  const { own, theirs } = shareEnvironment();
  const machine = { home: homedir(), platform: process.platform, appData: theirs['APPDATA'], cwd: process.cwd() };
  const chosen = configurationsOn(machine).filter(
    (configuration) => client === undefined || client.includes(configuration.client),
  );
  const isLeft = (configuration: ClientConfiguration): boolean =>
    configuration.project !== undefined && !project && !undo && existsSync(configuration.file);
  const configurations = chosen.filter((configuration) => !isLeft(configuration));
  const directory = directoryOf(readConfig(own));
  const files = await importConfigurations(configurations, {
    words: { program: ownProgram(), directory },
    undo,
    write,
  });
  const none = ['No configuration of these clients is here.'];
  const left = chosen
    .filter(isLeft)
    .map(({ file }) => `${file} is shared with the project: add --project to change it.`);
  const lines = [...files.flatMap((file) => sayImport(file, { undo, write })), ...left];
  const done = files.length === 0 ? [] : ['Start the clients again.'];
  const next = write ? done : ['Nothing is written yet: add --write to do it.'];
  printResult(json, { files, written: write }, lines.length === 0 ? none : [...lines, ...next]);
}

function sayImport(
  { client, file, servers, backup, leadsTo }: ImportedFile,
  { undo, write }: Required<Pick<ImportOptions, 'undo' | 'write'>>,
): string[] {
  if (leadsTo !== null) return [`${client}: ${file} is left alone, because it leads out of the project, to ${leadsTo}`];
  if (servers === null) return [`${client}: ${file} is left alone, because it is not valid JSON`];
  const how = undo ? 'without the gateway' : 'behind the gateway';
  const sentences = {
    rewritten: write ? `runs ${how} from now on` : `would run ${how}`,
    same: `runs ${how} already`,
    unfit: 'is left alone, because no command starts it',
  };
  const lines = servers.map(({ name, change }) => `  ${name} ${sentences[change]}`);
  return [`${client}: ${file}`, ...lines, ...(backup === null ? [] : [`  As it was before: ${backup}`])];
}
