import { spaceRoles, type SpaceRole } from '../roles/contract.ts';
import type { Command } from 'commander';
import type { Operator } from '#server/operator';
import { spaceNamePattern, spaceNameRule } from '#platform/model/names';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

interface JsonOption {
  json?: boolean;
}

export function addSpaceCommands(program: Command): void {
  const space = program
    .command('space')
    .description('group servers, groups and policies in spaces, and give people roles for them');
  space
    .command('add')
    .description('make an empty space')
    .argument('<name>', 'what it is called')
    .option(...asJson)
    .action(addSpace);
  space
    .command('list')
    .description('list every space, with its people, servers and groups')
    .option(...asJson)
    .action(listSpaces);
  space
    .command('member')
    .description('say which role someone has in a space')
    .argument('<name>', 'the space')
    .argument('<email>', 'whom')
    .requiredOption('--role <role>', `${spaceRoles.join(', ')}; or "none" to end what they are there`)
    .option(...asJson)
    .addHelpText(...examples('assentry space member payments ada@example.com --role space-admin'))
    .action(setRole);
  space
    .command('move')
    .description('move a server or a group into a space')
    .argument('<name>', 'the space; "none" for none')
    .option('--server <name>', 'the server')
    .option('--group <name>', 'the group; not while a policy outside of the space names it')
    .option(...asJson)
    .addHelpText(...examples('assentry space move payments --server billing'))
    .action(move);
}

async function addSpace(name: string, { json }: JsonOption): Promise<void> {
  assertOption('NAME', spaceNamePattern.test(name) && name !== 'none', spaceNameRule);
  const space = await withOperator((operator) => operator.spaces.add(name));
  printResult(json, { space }, [formatSpace(space)]);
}

async function listSpaces({ json }: JsonOption): Promise<void> {
  const spaces = await withOperator((operator) => operator.spaces.list());
  const none = 'There are no spaces: everything is global. Make one: assentry space add NAME';
  printResult(json, { spaces }, spaces.length === 0 ? [none] : spaces.map(formatSpace));
}

async function setRole(space: string, email: string, { role, json }: JsonOption & { role: string }): Promise<void> {
  const isRole = role === 'none' || spaceRoles.some((name) => name === role);
  assertOption('--role', isRole, `Give one of ${spaceRoles.join(', ')}, or none.`);
  const next = role === 'none' ? null : (role as SpaceRole);
  const changed = await withOperator((operator) => operator.spaces.setRole(space, email, next));
  printResult(json, { space: changed }, [formatSpace(changed)]);
}

async function move(
  name: string,
  { server, group, json }: JsonOption & { server?: string; group?: string },
): Promise<void> {
  const isOne = (server === undefined) !== (group === undefined);
  assertOption('OPTIONS', isOne, 'Say what to move: --server NAME or --group NAME.');
  const what = server === undefined ? { group: group ?? '' } : { server };
  const space = await withOperator((operator) => operator.spaces.move(name === 'none' ? null : name, what));
  printResult(json, { space }, [space ? formatSpace(space) : `${server ?? group} is in no space now.`]);
}

type Space = Awaited<ReturnType<Operator['spaces']['list']>>[number];

function formatSpace({ name, members, servers, groups }: Space): string {
  const people = members.map(({ user, role }) => `${user.name} (${role})`);
  const list = (label: string, names: string[]): string => `${label} ${names.length > 0 ? names.join(', ') : 'none'}`;
  const named = [servers, groups].map((records) => records.map((record) => record.name));
  return `${name}: ${[list('people', people), list('servers', named[0] ?? []), list('groups', named[1] ?? [])].join('; ')}`;
}
