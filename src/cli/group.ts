import type { Command } from 'commander';
import type { Operator } from '../installation/operator.ts';
import { asJson, examples, printResult, refuseWrong } from './terminal/output.ts';
import { sayGroup, type Directory } from './terminal/say-user.ts';
import { withOperator } from './terminal/settings.ts';

export function addGroupCommands(program: Command): void {
  const group = program
    .command('group')
    .description('create groups of people that policies can name, and change their members');
  group
    .command('create')
    .description('create an empty group')
    .argument('<name>', 'the name that policies use')
    .option('--description <text>', 'what it is for')
    .option(...asJson)
    .action(createGroup);
  group
    .command('list')
    .description('list every group, with its members')
    .option(...asJson)
    .action(listGroups);
  for (const verb of ['add', 'remove'] as const) {
    group
      .command(verb)
      .description(verb === 'add' ? 'put people into a group' : 'take people out of a group')
      .argument('<name>', 'the group')
      .argument('<email...>', 'whom')
      .option(...asJson)
      .addHelpText(...examples(`assentry group ${verb} finance ada@example.com bob@example.com`))
      .action((name: string, emails: string[], { json }: { json?: boolean }) =>
        changeGroup(name, { [verb]: emails }, json),
      );
  }
}

async function createGroup(name: string, options: { description?: string; json?: boolean }): Promise<void> {
  const isName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name);
  refuseWrong('NAME', isName, 'Use 1 to 64 letters, digits, spaces, dots, dashes and underscores.');
  await printGroup((operator) => operator.createGroup(name, options.description), options.json);
}

async function listGroups({ json }: { json?: boolean }): Promise<void> {
  const directory = await withOperator((operator) => operator.directory());
  const { groups } = directory;
  const none = 'There are no groups yet. Create one: assentry group create NAME';
  printResult(json, { groups }, groups.length === 0 ? [none] : groups.map((group) => sayGroup(group, directory)));
}

async function changeGroup(
  name: string,
  change: { add?: string[]; remove?: string[] },
  json: boolean | undefined,
): Promise<void> {
  await printGroup((operator) => operator.changeMembers(name, change), json);
}

async function printGroup(
  change: (operator: Operator) => Promise<Directory['groups'][number]>,
  json: boolean | undefined,
): Promise<void> {
  const { group, directory } = await withOperator(async (operator) => {
    const changed = await change(operator);
    return { group: changed, directory: await operator.directory() };
  });
  printResult(json, { group }, [sayGroup(group, directory)]);
}
