import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Command } from 'commander';
import { readConfig } from '#platform/config/config';
import { shareEnvironment } from '#platform/config/env';
import { clientNames, configurationsOn, type ClientConfiguration } from '../import/clients.ts';
import type { ImportedFile } from '../import/import-configurations.ts';
import type { ToolDefinition } from '../tools/definition.ts';
import { type PinnedTool, type Unaccepted, isServerPin, reachIn } from '../tools/pins.ts';
import { serverPinName } from '#platform/model/names';
import { isServerName, serverNameRule } from '../authorization-config.ts';
import { directoryOf } from '#server/directory-of';
import { pinsIn } from './gateway-folders.ts';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { ownProgram } from '#cli/own-program';

export function addGatewayCommands(program: Command): void {
  const gateway = program
    .command('gateway')
    .description('stand in front of MCP servers over HTTP; or show what the gateway knows of its servers')
    .option('--config <file>', 'the YAML file with the servers; serves each at /u/NAME/mcp')
    .addHelpText(...examples('assentry gateway --config gateway.yaml'))
    .action(async ({ config }: { config?: string }) => {
      if (config === undefined) return gateway.help({ error: true });
      const { serveGateway } = await import('./serve-gateway.ts'); // imported here so that help and mistakes do not wait for it
      await serveGateway(config);
    });
  gateway
    .command('pin')
    .description(
      'show the tools whose definition has changed or whose claim to read no one has accepted, and accept what you have read',
    )
    .option('--accept <digest>', 'accept the changed definition, or the definitions of a server, of this digest')
    .option('--all', 'also show the tools that have not changed')
    .option(...asJson)
    .addHelpText(...examples('assentry gateway pin', 'assentry gateway pin --accept 3a7bd3e2…'))
    .action(pinTools);
  gateway
    .command('rebind')
    .description('let something else run under the name of a server, with its key, tools and policies')
    .argument('<server>', 'the name of the server')
    .option(...asJson)
    .addHelpText(...examples('assentry gateway rebind files'))
    .action(rebindServer);
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

interface PinOptions {
  accept?: string;
  all?: boolean;
  json?: boolean;
}

async function pinTools({ accept, all = false, json }: PinOptions): Promise<void> {
  const { acceptPin, listPins, unacceptedIn } = await import('../tools/pins.ts'); // so that help does not wait for it
  const folder = pinsIn(directoryOf(readConfig(shareEnvironment().own)));
  if (accept !== undefined) {
    assertOption(
      '--accept',
      /^[0-9a-f]{64}$/.test(accept),
      'Give the whole digest, as "assentry gateway pin" shows it.',
    );
    const tools = (await acceptPin(folder, accept)).map((pin) => ({ server: pin.server, tool: pin.accepted.name }));
    const sentences = tools.map(({ server, tool }) =>
      tool === serverPinName
        ? `What ${server} runs now is accepted.`
        : `${tool} of ${server} is accepted as it is now.`,
    );
    return printResult(json, { tools, digest: accept }, [...sentences, 'Start the client again to see it.']);
  }
  const pins = await listPins(folder);
  const unaccepted = await unacceptedIn(pins);
  const tools = pins.filter(({ changed, standing }) => all || changed !== null || standing !== 'accepted');
  const nothing = ['No tool has changed since it was accepted.'];
  const formatted = pins.filter(({ changed }) => all || changed !== null).flatMap(formatPin);
  const lines = [...formatted, ...unaccepted.flatMap(formatUnaccepted)];
  printResult(json, { tools, unaccepted }, lines.length === 0 ? nothing : lines);
}

/** Lines on tools that only their server calls reading ones. The printer spells out hidden characters. */
const formatUnaccepted = ({ server, tools, digest }: Unaccepted & { server: string }): string[] => [
  `${server}: says that these tools only read, and no one has accepted that, so that each call of them waits`,
  ...tools.map(({ name, description }) => `  ${name}: ${JSON.stringify(description ?? '')}`),
  `  To accept all of them: assentry gateway pin --accept ${digest}`,
];

function formatPin({ server, accepted, standing, changed }: PinnedTool): string[] {
  if (isServerPin(accepted)) return formatServerPin(server, accepted, changed);
  if (!changed) return [`${server} ${accepted.name}: as ${standing === 'accepted' ? 'accepted' : 'first seen'}`];
  const members = new Set([...Object.keys(accepted), ...Object.keys(changed.definition)]);
  const parts = [...members].flatMap((member) => formatChange(member, accepted[member], changed.definition[member]));
  return [
    `${server} ${accepted.name}: has changed, and is blocked`,
    ...parts,
    `  To accept it: assentry gateway pin --accept ${changed.digest}`,
  ];
}

/** Lines about the server that runs under a name, and the one accepted for it. */
function formatServerPin(server: string, accepted: ToolDefinition, changed: PinnedTool['changed']): string[] {
  if (!changed) return [`${server}: runs with ${reachIn(accepted)}`];
  return [
    `${server}: something else runs now, and all its tools are blocked`,
    `  It was  ${reachIn(accepted)}`,
    `  It is   ${reachIn(changed.definition)}`,
    `  To accept it: assentry gateway pin --accept ${changed.digest}`,
  ];
}

/** Both sides in full; the printer spells out hidden characters. */
function formatChange(member: string, before: unknown, after: unknown): string[] {
  const [first, other] = [before, after].map((part) => (part === undefined ? 'nothing' : JSON.stringify(part)));
  return first === other ? [] : [`  ${member} was ${first}`, `  ${' '.repeat(member.length)} is  ${other}`];
}

async function rebindServer(server: string, { json }: { json?: boolean }): Promise<void> {
  assertOption('SERVER', isServerName(server), serverNameRule);
  const { unbind } = await import('../tools/pins.ts');
  const command = await unbind(pinsIn(directoryOf(readConfig(shareEnvironment().own))), server);
  const sentence =
    command === null
      ? `Nothing is known of ${server}: what runs under this name next is accepted.`
      : `What runs next under the name ${server} is accepted. Until now it was: ${command}`;
  printResult(json, { server, command }, [sentence]);
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
  assertOption('--client', unknown === undefined, `Give one of ${clientNames.join(', ')}.`);
  const { importConfigurations } = await import('../import/import-configurations.ts');
  const { own, theirs } = shareEnvironment();
  const machine = {
    home: homedir(),
    platform: process.platform,
    appData: theirs['APPDATA'],
    localAppData: theirs['LOCALAPPDATA'],
    claudeFolder: theirs['CLAUDE_CONFIG_DIR'],
    codexHome: theirs['CODEX_HOME'],
    cwd: process.cwd(),
  };
  const all = configurationsOn(machine);
  const personal = new Set(all.flatMap(({ file, project: folder }) => (folder === undefined ? file : [])));
  // In the home folder, a person's own file is no one else's.
  const chosen = all.filter(
    ({ client: name, file, project: folder }) =>
      (client === undefined || client.includes(name)) && (folder === undefined || !personal.has(file)),
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
  const none = [
    `Add a server to one of these clients first: ${(client ?? clientNames).join(', ')}. None of them has a list of servers here.`,
  ];
  const left = chosen
    .filter(isLeft)
    .map(({ file }) => `${file} is shared with the project: add --project to change it.`);
  const lines = [...files.flatMap((file) => formatImport(file, { undo, write })), ...left];
  const done = files.length === 0 ? [] : ['Start the clients again.'];
  const next = write ? done : ['Nothing is written yet: add --write to do it.'];
  printResult(json, { files, written: write }, lines.length === 0 ? none : [...lines, ...next]);
}

function formatImport(
  { client, file, servers, backup, leadsTo }: ImportedFile,
  { undo, write }: Required<Pick<ImportOptions, 'undo' | 'write'>>,
): string[] {
  if (leadsTo !== null) return [`${client}: ${file} is left alone, because it leads out of the project, to ${leadsTo}`];
  if (servers === null) return [`${client}: ${file} is left alone, because it cannot be read`];
  const how = undo ? 'without the gateway' : 'behind the gateway';
  const sentences = {
    rewritten: write ? `runs ${how} from now on` : `would run ${how}`,
    same: `runs ${how} already`,
    unfit: 'is left alone, because its entry has a form that cannot be changed here: write "assentry wrap" there',
    secret:
      'is left alone, because the file is shared and the entry holds a secret: name a variable in its place first',
  };
  const lines = servers.map(({ name, change }) => `  ${name} ${sentences[change]}`);
  return [`${client}: ${file}`, ...lines, ...(backup === null ? [] : [`  As it was before: ${backup}`])];
}
