import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { roles, slackMember, type Role } from '../model/person.ts';
import { printResult, refuseWrong } from './output.ts';
import { withOperator } from './settings.ts';

interface UserAddOptions {
  role: Role;
  name?: string;
  passwordStdin?: boolean;
  json?: boolean;
}

const asJson = ['--json', 'print one JSON document'] as const;
const roleOption = () => new Option('--role <role>', 'what they may do').choices(roles);

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people of the console');
  user
    .command('add')
    .description('add a person who may sign in')
    .argument('<email>', 'what they sign in with')
    .addOption(roleOption().makeOptionMandatory())
    .option('--name <name>', 'how others see them (default: the part of the address before the @)')
    .option('--password-stdin', 'take the password from standard input: at least 15 characters')
    .option(...asJson)
    .action(addUser);
  user
    .command('list')
    .description('everybody, with what they may do')
    .option(...asJson)
    .action(listUsers);
  user
    .command('set')
    .description('change what a person is called, may do and answers to')
    .argument('<email>', 'whom')
    .addOption(roleOption())
    .option('--name <name>', 'how others see them')
    .option('--manager <email>', 'whom they report to; "none" for nobody')
    .option('--subject <subject...>', 'the names MCP clients know them by, all of them; "none" for none')
    .option('--slack <member>', 'the member ID of Slack whose clicks are theirs; "none" for none')
    .addOption(new Option('--break-glass <yes|no>', 'may they decide past a policy?').choices(['yes', 'no']))
    .option(...asJson)
    .action(setUser);
  user
    .command('disable')
    .description('sign a person out everywhere and let them in no more')
    .argument('<email>', 'whom')
    .option('--undo', 'let them in again')
    .option(...asJson)
    .action((email: string, { undo, json }: { undo?: boolean; json?: boolean }) =>
      changeUser(email, { disabled: undo !== true }, json),
    );
}

async function addUser(email: string, options: UserAddOptions): Promise<void> {
  const name = (options.name ?? email.split('@')[0] ?? '').trim();
  refuseWrong('EMAIL', z.email().max(254).safeParse(email).success, 'Give an e-mail address such as ada@example.com.');
  refuseName(name);
  const password = await readPassword(options);
  const person = await withOperator((operator) => operator.addPerson({ email, name, role: options.role, password }));
  const { id, role } = person;
  printResult(options.json, { id, email: person.email, name, role }, [
    `${name} <${person.email}> may sign in as ${role}.`,
  ]);
}

async function readPassword({ passwordStdin }: UserAddOptions): Promise<string> {
  const message = 'Pipe the password in with --password-stdin; on a command line others could read it.';
  refuseWrong('password', passwordStdin === true, message);
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

const refuseName = (name: string): void =>
  refuseWrong('--name', name.length >= 1 && name.length <= 200, 'Give a name of 1 to 200 characters.');

async function listUsers({ json }: { json?: boolean }): Promise<void> {
  const { people } = await withOperator((operator) => operator.directory());
  printResult(json, { people }, people.length === 0 ? ['There is nobody yet.'] : people.map(sayPerson));
}

interface UserSetOptions {
  role?: Role;
  name?: string;
  manager?: string;
  subject?: string[];
  slack?: string;
  breakGlass?: 'yes' | 'no';
  json?: boolean;
}

async function setUser(email: string, options: UserSetOptions): Promise<void> {
  const { json, manager, subject, slack, breakGlass, ...rest } = options;
  const changes = {
    ...rest,
    ...(manager !== undefined && { manager: manager === 'none' ? null : manager }),
    ...(subject && { subjects: subject.filter((one) => one !== 'none') }),
    ...(slack !== undefined && { slackId: slack === 'none' ? null : slack }),
    ...(breakGlass && { mayBreakGlass: breakGlass === 'yes' }),
  };
  if (rest.name !== undefined) refuseName(rest.name.trim());
  refuseMember(slack);
  refuseWrong('OPTIONS', Object.keys(changes).length > 0, 'Say what to change, such as --role approver.');
  await changeUser(email, changes, json);
}

const refuseMember = (slack = 'none'): void =>
  refuseWrong('--slack', slack === 'none' || slackMember.test(slack), 'Give a member ID of Slack such as U0123ABCD.');

async function changeUser(
  email: string,
  changes: Parameters<Parameters<Parameters<typeof withOperator>[0]>[0]['changePerson']>[1],
  json: boolean | undefined,
): Promise<void> {
  const person = await withOperator((operator) => operator.changePerson(email, changes));
  printResult(json, { person }, [sayPerson(person)]);
}

interface ShownPerson {
  name: string;
  email: string;
  role: Role;
  disabledAt: number | null;
  mayBreakGlass: boolean;
  subjects: string[];
  slackId: string | null;
  manager: { name: string } | null;
  teams: { name: string }[];
}

function sayPerson({ name, email, role, disabledAt, ...more }: ShownPerson): string {
  const { mayBreakGlass, subjects, slackId, manager, teams } = more;
  const parts = [
    disabledAt === null ? role : `${role}, disabled`,
    ...(mayBreakGlass ? ['may break glass'] : []),
    ...(manager ? [`reports to ${manager.name}`] : []),
    ...(teams.length > 0 ? [`in ${teams.map((team) => team.name).join(', ')}`] : []),
    ...(subjects.length > 0 ? [`known as ${subjects.join(', ')}`] : []),
    ...(slackId === null ? [] : [`${slackId} in Slack`]),
  ];
  return `${name} <${email}>: ${parts.join('; ')}`;
}
