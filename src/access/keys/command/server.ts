import type { Command } from 'commander';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { addWorkloadCommands } from '../../workloads/command.ts';
import { withOperator } from '#cli/settings';

export function addServerCommands(program: Command): void {
  const server = program.command('server').description('list MCP servers and set their owners');
  server
    .command('list')
    .description('list every server, with its owner')
    .option(...asJson)
    .action(listServers);
  server
    .command('set')
    .description("set a server's owner")
    .argument('<name>', 'the server')
    .option('--owner <email>', 'the person whom policies ask as its owner; "none" for no one')
    .option(...asJson)
    .addHelpText(...examples('assentry server set payments --owner ada@example.com'))
    .action(setServer);
  addWorkloadCommands(server);
}

async function listServers({ json }: { json?: boolean }): Promise<void> {
  const { servers } = await withOperator((operator) => operator.directory());
  const none = 'There are no servers yet. Create a key for one: assentry key create --server NAME';
  printResult(json, { servers }, servers.length === 0 ? [none] : servers.map(formatServer));
}

async function setServer(name: string, { owner, json }: { owner?: string; json?: boolean }): Promise<void> {
  assertOption('OPTIONS', owner !== undefined, 'Say what to change, such as --owner ada@example.com.');
  const email = owner === 'none' || owner === undefined ? null : owner;
  const server = await withOperator((operator) => operator.setOwner(name, email));
  printResult(json, { server }, [formatServer(server)]);
}

const formatServer = ({ name, owner }: { name: string; owner: { name: string } | null }): string =>
  `${name}: ${owner ? `owned by ${owner.name}` : 'owned by no one'}`;
