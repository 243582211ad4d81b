import type { Command } from 'commander';
import { printResult, refuseWrong } from './output.ts';
import { withOperator } from './settings.ts';

const asJson = ['--json', 'print one JSON document'] as const;

export function addGroupCommands(program: Command): void {
  const group = program.command('group').description('groups of persons that policies can name');
  group
    .command('create')
    .description('make a group')
    .argument('<name>', 'what policies call it by')
    .option('--description <text>', 'what it is for')
    .option(...asJson)
    .action(createGroup);
  group
    .command('list')
    .description('every group, with its members')
    .option(...asJson)
    .action(listGroups);
  for (const verb of ['add', 'remove'] as const) {
    group
      .command(verb)
      .description(verb === 'add' ? 'put persons into a group' : 'take persons out of a group')
      .argument('<name>', 'the group')
      .argument('<email...>', 'whom')
      .option(...asJson)
      .action((name: string, emails: string[], { json }: { json?: boolean }) =>
        changeGroup(name, { [verb]: emails }, json),
      );
  }
}

async function createGroup(name: string, options: { description?: string; json?: boolean }): Promise<void> {
  const isName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name);
  refuseWrong('NAME', isName, 'Use 1 to 64 letters, digits, spaces, dots, dashes and underscores.');
  const group = await withOperator((operator) => operator.createTeam(name, options.description));
  printResult(options.json, { group }, [sayGroup(group)]);
}

async function listGroups({ json }: { json?: boolean }): Promise<void> {
  const { teams } = await withOperator((operator) => operator.directory());
  printResult(json, { groups: teams }, teams.length === 0 ? ['There is no group yet.'] : teams.map(sayGroup));
}

async function changeGroup(
  name: string,
  change: { add?: string[]; remove?: string[] },
  json: boolean | undefined,
): Promise<void> {
  const group = await withOperator((operator) => operator.changeMembers(name, change));
  printResult(json, { group }, [sayGroup(group)]);
}

const sayGroup = ({ name, members }: { name: string; members: { name: string }[] }): string =>
  `${name}: ${members.length === 0 ? 'nobody' : members.map((member) => member.name).join(', ')}`;
