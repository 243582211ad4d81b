import type { Command } from 'commander';
import { maxConfirmDays } from './contract.ts';
import { groupNamePattern, groupNameRule } from '#platform/model/names';
import type { Operator } from '#server/operator';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { formatGroup, type Directory } from '../users/command/format-user.ts';
import { withOperator } from '#cli/settings';

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
  group
    .command('adopt')
    .description('let a group that an identity provider made by SCIM count in policies')
    .argument('<name>', 'the group')
    .option('--end', 'it counts for nothing again')
    .option(...asJson)
    .addHelpText(...examples('assentry group adopt "Finance EU"'))
    .action((name: string, { end = false, json }: { end?: boolean; json?: boolean }) =>
      printGroup((operator) => operator.adoptGroup(name, !end), json),
    );
  addConfirmation(group);
}

function addConfirmation(group: Command): void {
  group
    .command('set')
    .description('have the members of a group confirmed again and again, and say by whom')
    .argument('<name>', 'the group')
    .option('--confirm-every <days>', 'members who are not confirmed in time leave; "never" ends it')
    .option('--owner <email...>', 'who confirms them; "none" for administrators')
    .option(...asJson)
    .addHelpText(...examples('assentry group set finance --confirm-every 90 --owner ada@example.com'))
    .action(setConfirmation);
  group
    .command('confirm')
    .description('list the members to confirm, and confirm exactly this list with its digest')
    .argument('<name>', 'the group')
    .option('--digest <digest>', 'of the list that you have read')
    .option(...asJson)
    .addHelpText(...examples('assentry group confirm finance', 'assentry group confirm finance --digest 0a1b…'))
    .action(confirmMembers);
}

interface RuleOptions {
  confirmEvery?: string;
  owner?: string[];
  json?: boolean;
}

async function setConfirmation(name: string, { confirmEvery, owner, json }: RuleOptions): Promise<void> {
  const days = confirmEvery === 'never' ? null : confirmEvery === undefined ? undefined : Number(confirmEvery);
  const isDays = days === undefined || days === null || (Number.isInteger(days) && days >= 1 && days <= maxConfirmDays);
  assertOption('--confirm-every', isDays, `Give 1 to ${maxConfirmDays} days, or never.`);
  const owners = owner?.join() === 'none' ? [] : owner;
  await printGroup(
    (operator) =>
      operator.setConfirmation(name, { ...(days !== undefined && { days }), ...(owners !== undefined && { owners }) }),
    json,
  );
}

async function confirmMembers(name: string, { digest, json }: { digest?: string; json?: boolean }): Promise<void> {
  if (digest !== undefined) return printGroup((operator) => operator.confirmMembers(name, digest), json);
  const directory = await withOperator((operator) => operator.directory());
  const group = directory.groups.find((candidate) => candidate.name === name);
  const { confirmation = null } = group ?? {};
  assertOption('NAME', confirmation !== null, 'Name a group whose members are to be confirmed: assentry group list');
  const listed = new Set(confirmation?.members);
  const people = directory.users.filter(({ id }) => listed.has(id)).map(({ name, email }) => `${name} <${email}>`);
  const next = `If all of them belong there: assentry group confirm "${name}" --digest ${confirmation?.digest}`;
  printResult(json, { confirmation }, [...people, next]);
}

async function createGroup(name: string, options: { description?: string; json?: boolean }): Promise<void> {
  assertOption('NAME', groupNamePattern.test(name), groupNameRule);
  await printGroup((operator) => operator.createGroup(name, options.description), options.json);
}

async function listGroups({ json }: { json?: boolean }): Promise<void> {
  const directory = await withOperator((operator) => operator.directory());
  const { groups } = directory;
  const none = 'There are no groups yet. Create one: assentry group create NAME';
  printResult(json, { groups }, groups.length === 0 ? [none] : groups.map((group) => formatGroup(group, directory)));
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
  printResult(json, { group }, [formatGroup(group, directory)]);
}
