import type { Command } from 'commander';
import type { Operator } from '#server/operator';
import { rolePermissions } from './contract.ts';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

interface JsonOption {
  json?: boolean;
}

interface PermissionOptions extends JsonOption {
  permission: string[];
}

const permissionOption = [
  '--permission <permission...>',
  `what it permits, from ${rolePermissions.join(', ')}`,
] as const;

export function addRoleCommands(program: Command): void {
  const role = program.command('role').description('make roles of your own, next to those that are built in');
  role
    .command('add')
    .description('make a role, which no one has yet')
    .argument('<name>', 'by which people, policies and the log name it; it never changes')
    .requiredOption(...permissionOption)
    .option(...asJson)
    .addHelpText(...examples('assentry role add key-keeper --permission change-keys stop-calls'))
    .action(addRole);
  role
    .command('set')
    .description('change what everyone with the role may do, at once')
    .argument('<name>', 'the role')
    .requiredOption(...permissionOption)
    .option(...asJson)
    .action(setRole);
  role
    .command('remove')
    .description('remove a role that no one has and no policy in force names')
    .argument('<name>', 'the role')
    .option(...asJson)
    .action(removeRole);
  role
    .command('list')
    .description('list the roles of your own')
    .option(...asJson)
    .action(listRoles);
}

async function addRole(name: string, { permission, json }: PermissionOptions): Promise<void> {
  assertPermissions(permission);
  const role = await withOperator((operator) => operator.roles.add({ name, permissions: permission }));
  printResult(json, { role }, [formatRole(role)]);
}

async function setRole(name: string, { permission, json }: PermissionOptions): Promise<void> {
  assertPermissions(permission);
  const role = await withOperator((operator) => operator.roles.set(name, permission));
  printResult(json, { role }, [formatRole(role)]);
}

async function removeRole(name: string, { json }: JsonOption): Promise<void> {
  await withOperator((operator) => operator.roles.remove(name));
  printResult(json, { removed: name }, [`The role ${name} is removed.`]);
}

async function listRoles({ json }: JsonOption): Promise<void> {
  const roles = await withOperator((operator) => operator.roles.list());
  const none = 'There are only the built-in roles. Make one: assentry role add NAME --permission …';
  printResult(json, { roles }, roles.length === 0 ? [none] : roles.map(formatRole));
}

const assertPermissions = (permissions: string[]): void =>
  assertOption(
    '--permission',
    permissions.every((permission) => rolePermissions.some((name) => name === permission)),
    `Choose from ${rolePermissions.join(', ')}.`,
  );

type Role = Awaited<ReturnType<Operator['roles']['list']>>[number];

const formatRole = ({ name, permissions, people }: Role): string =>
  `${name}: ${permissions.join(', ')}; ${people === 1 ? '1 person has' : `${people} people have`} it`;
