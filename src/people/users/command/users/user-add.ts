import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { User } from '../../../directory/contract/user.ts';
import type { Role } from '../../../directory/contract/permission.ts';
import type { Operator } from '#server/operator';
import { printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

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

export const assertName = (name: string): void =>
  assertOption('--name', name.length >= 1 && name.length <= 200, 'Give a name of 1 to 200 characters.');

const formatLink = ({ address, expiresAt }: PasswordLink): string[] => [
  `Give them this link. With it they set their own password, once, until ${new Date(expiresAt).toISOString()}:`,
  `  ${address}`,
];
