import { type Command, Option } from 'commander';
import { chatMemberForm, wrongChatMember } from '#notify/chat/contract';
import { builtInRoles, type Role } from '../../directory/contract/permission.ts';
import type { Operator } from '#server/operator';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { formatUser } from './format-user.ts';
import { withOperator } from '#cli/settings';
import { formatKey } from '#access/keys/command/key';
import { decidePair, listPairs } from '../../accounts/command.ts';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { User } from '../../directory/contract/user.ts';

const roleOption = () =>
  new Option('--role <role>', `what they may do: ${builtInRoles.join(', ')}, or a role of your own`);

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('add, change and disable the people of the console');
  user
    .command('add')
    .description('add a person, and print a link that sets their password')
    .argument('<email>', 'the address they sign in with')
    .addOption(roleOption().makeOptionMandatory())
    .option('--name <name>', 'the name others see (default: the part of the address before the @)')
    .option('--password-stdin', 'instead of the link: a password of at least 15 characters from standard input')
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry user add ada@example.com --role approver --name "Ada Lovelace"',
        "echo 'seven quiet otters paint' | assentry user add ada@example.com --role admin --password-stdin",
      ),
    )
    .action(addUser);
  addLinkAndList(user);
  addPairs(user);
  user
    .command('set')
    .description('change what a person is called, what they may do and whom they report to')
    .argument('<email>', 'their email address')
    .addOption(roleOption())
    .option('--name <name>', 'the name others see')
    .option('--manager <email>', 'whom they report to; "none" for no one')
    .option('--subject <subject...>', 'all their names at MCP clients: SUBJECT or ISSUER#SUBJECT; "none" for none')
    .option('--chat <member>', 'their member ID in Slack or Microsoft Teams; "none" for none')
    .addOption(
      new Option('--break-glass <yes|no>', 'whether they may use the emergency override').choices(['yes', 'no']),
    )
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry user set bob@example.com --manager ada@example.com',
        'assentry user set bob@example.com --subject "auth0|7" bob',
      ),
    )
    .action(setUser);
  user
    .command('disable')
    .description('sign a person out everywhere, refuse further sign-ins, void their votes and close the keys they made')
    .argument('<email>', 'their email address')
    .option(...asJson)
    .action((email: string, { json }: { json?: boolean }) => changeUser(email, { disabled: true }, json));
  user
    .command('enable')
    .description('let a disabled person sign in again, with their password, and open their keys again')
    .argument('<email>', 'their email address')
    .option(...asJson)
    .action((email: string, { json }: { json?: boolean }) => changeUser(email, { disabled: false }, json));
}

function addLinkAndList(user: Command): void {
  user
    .command('link')
    .description('sign a person out everywhere, and print a new password link')
    .argument('<email>', 'their email address')
    .option('--reset-factors', 'for someone who lost them: using the link removes passkeys and the authenticator app')
    .option(...asJson)
    .action(makeLink);
  user
    .command('connect')
    .description('let a person sign in at your identity provider')
    .argument('<email>', 'their email address')
    .argument('<issuer>', 'the issuer, as in the settings of the provider')
    .argument('<subject>', 'the subject by which the provider knows them')
    .option(...asJson)
    .action(connectUser);
  user
    .command('list')
    .description('list everyone, with their roles and groups')
    .option(...asJson)
    .action(listUsers);
}

function addPairs(user: Command): void {
  user
    .command('pair')
    .description('say whether two accounts are of one person, who counts once in every quorum')
    .argument('<email>', 'the address of one account')
    .argument('<other-email>', 'the address of the other')
    .option('--one-person', 'both are of one person')
    .option('--two-people', 'they are of two people')
    .option('--undecided', 'take back what was said')
    .option(...asJson)
    .action(decidePair);
  user
    .command('pairs')
    .description('list accounts that may be of one person, and what was said of others')
    .option(...asJson)
    .action(listPairs);
}

async function listUsers({ json }: { json?: boolean }): Promise<void> {
  const directory = await withOperator((operator) => operator.directory());
  const { users } = directory;
  const none = 'There are no people yet. Add someone: assentry user add EMAIL --role admin';
  printResult(json, { users }, users.length === 0 ? [none] : users.map((user) => formatUser(user, directory)));
}

interface UserSetOptions {
  role?: Role;
  name?: string;
  manager?: string;
  subject?: string[];
  chat?: string;
  breakGlass?: 'yes' | 'no';
  json?: boolean;
}

async function setUser(email: string, options: UserSetOptions): Promise<void> {
  const { json, role, manager, subject, chat, breakGlass } = options;
  const name = options.name?.trim();
  const changes = {
    ...(role && { role }),
    ...(name !== undefined && { name }),
    ...(manager !== undefined && { manager: manager === 'none' ? null : manager }),
    ...(subject && { subjects: subject.filter((subject) => subject !== 'none') }),
    ...(chat !== undefined && { chatMember: chat === 'none' ? null : chat }),
    ...(breakGlass && { mayBreakGlass: breakGlass === 'yes' }),
  };
  if (name !== undefined) assertName(name);
  assertChatMember(chat);
  assertOption('OPTIONS', Object.keys(changes).length > 0, 'Say what to change, such as --role approver.');
  await changeUser(email, changes, json);
}

const assertChatMember = (member = 'none'): void =>
  assertOption('--chat', member === 'none' || chatMemberForm.test(member), wrongChatMember);

async function changeUser(
  email: string,
  changes: Parameters<Operator['changeUser']>[1],
  json: boolean | undefined,
): Promise<void> {
  const { user, directory, keys } = await withOperator(async (operator) => {
    const changed = await operator.changeUser(email, changes);
    const keys = changes.disabled ? await operator.listKeys() : [];
    return { user: changed, directory: await operator.directory(), keys };
  });
  const closed = keys.filter(({ maker, revokedAt }) => maker?.id === user.id && revokedAt === null);
  printResult(json, { user, ...(changes.disabled && { closedKeys: closed }) }, [
    formatUser(user, directory),
    ...closed.map((key) => `Make another key for ${key.server.name} if it is still to ask: ${formatKey(key)}`),
  ]);
}

interface UserAddOptions {
  role: Role;
  name?: string;
  passwordStdin?: boolean;
  json?: boolean;
}

type NewUser = Parameters<Operator['inviteUser']>[0];
type PasswordLink = Awaited<ReturnType<Operator['makePasswordLink']>>;

export async function addUser(email: string, options: UserAddOptions): Promise<void> {
  const name = (options.name ?? email.split('@')[0] ?? '').trim();
  assertOption('EMAIL', z.email().max(254).safeParse(email).success, 'Give an email address such as ada@example.com.');
  assertName(name);
  const request = { email, name, role: options.role };
  const { user, link } = await withOperator((operator) => add(operator, request, options), { mayCreate: true });
  const { id, role } = user;
  const document = { id, email: user.email, name, role, ...(link && { link }) };
  const done = link ? 'is added' : 'may sign in';
  printResult(options.json, document, [
    `${name} <${user.email}> ${done} as ${role}.`,
    ...(link ? formatLink(link) : []),
  ]);
}

async function add(
  operator: Operator,
  user: NewUser,
  { passwordStdin }: UserAddOptions,
): Promise<{ user: User; link?: PasswordLink }> {
  if (!passwordStdin) return operator.inviteUser(user);
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  return { user: await operator.addUser({ ...user, password }) };
}

interface LinkOptions {
  resetFactors?: boolean;
  json?: boolean;
}

export async function makeLink(email: string, { resetFactors = false, json }: LinkOptions): Promise<void> {
  const link = await withOperator((operator) => operator.makePasswordLink(email, { resetsFactors: resetFactors }));
  const reset = 'Using it removes their passkeys and their authenticator app; they add new ones then.';
  printResult(json, { email: email.toLowerCase(), link }, [
    `${email} is signed out everywhere.`,
    ...formatLink(link),
    ...(resetFactors ? [reset] : []),
  ]);
}

export async function connectUser(
  email: string,
  issuer: string,
  subject: string,
  { json }: { json?: boolean },
): Promise<void> {
  await withOperator((operator) => operator.connectUser(email, { issuer, subject }));
  printResult(json, { email: email.toLowerCase(), issuer, subject }, [`${email} signs in as ${subject} of ${issuer}.`]);
}

const assertName = (name: string): void =>
  assertOption('--name', name.length >= 1 && name.length <= 200, 'Give a name of 1 to 200 characters.');

const formatLink = ({ address, expiresAt }: PasswordLink): string[] => [
  `Give them this link. With it they set their own password, once, until ${new Date(expiresAt).toISOString()}:`,
  `  ${address}`,
];
