import type { Command } from 'commander';
import { asJson, examples, printResult, refuseWrong } from './output.ts';
import { withOperator } from './settings.ts';

export function addServerCommands(program: Command): void {
  const server = program.command('server').description('list the MCP servers that may ask, and say who owns them');
  server
    .command('list')
    .description('list every server, with its owner')
    .option(...asJson)
    .action(listServers);
  server
    .command('set')
    .description('say who owns a server')
    .argument('<name>', 'the server')
    .option('--owner <email>', 'whom policies ask as its owner; "none" for no one')
    .option(...asJson)
    .addHelpText(...examples('assentry server set payments --owner ada@example.com'))
    .action(setServer);
}

async function listServers({ json }: { json?: boolean }): Promise<void> {
  const { servers } = await withOperator((operator) => operator.directory());
  const none = 'There is no server yet. Its first key makes it: assentry key create --server NAME';
  printResult(json, { servers }, servers.length === 0 ? [none] : servers.map(sayServer));
}

async function setServer(name: string, { owner, json }: { owner?: string; json?: boolean }): Promise<void> {
  refuseWrong('OPTIONS', owner !== undefined, 'Say what to change, such as --owner ada@example.com.');
  const email = owner === 'none' || owner === undefined ? null : owner;
  const server = await withOperator((operator) => operator.setOwner(name, email));
  printResult(json, { server }, [sayServer(server)]);
}

const sayServer = ({ name, owner }: { name: string; owner: { name: string } | null }): string =>
  `${name}: ${owner ? `owned by ${owner.name}` : 'owned by no one'}`;
