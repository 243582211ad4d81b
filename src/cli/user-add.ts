import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { Problem } from '../model/problem.ts';
import { roles, type Role } from '../model/person.ts';
import { printResult } from './output.ts';
import { withOperator } from './settings.ts';

interface UserAddOptions {
  role: Role;
  name?: string;
  passwordStdin?: boolean;
  json?: boolean;
}

export const addUserCommands = (program: Command): Command =>
  program
    .command('user')
    .description('people of the console')
    .command('add')
    .description('add a person who may sign in')
    .argument('<email>', 'what they sign in with')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory())
    .option('--name <name>', 'how others see them (default: the part of the address before the @)')
    .option('--password-stdin', 'take the password from standard input')
    .option('--json', 'print one JSON document')
    .action(addUser);

async function addUser(email: string, options: UserAddOptions): Promise<void> {
  const name = (options.name ?? email.split('@')[0] ?? '').trim();
  refuseWrong('EMAIL', z.email().max(254).safeParse(email).success, 'Give an e-mail address such as ada@example.com.');
  refuseWrong('--name', name.length >= 1 && name.length <= 200, 'Give a name of 1 to 200 characters.');
  const password = await readPassword(options);
  const person = await withOperator((operator) => operator.addPerson({ email, name, role: options.role, password }));
  const { id, role } = person;
  printResult(options.json, { id, email: person.email, name, role }, [
    `${name} <${person.email}> may sign in as ${role}.`,
  ]);
}

function refuseWrong(word: string, isRight: boolean, message: string): void {
  if (!isRight) throw new Problem('INVALID_INPUT', { errors: [{ path: [word], message }] });
}

async function readPassword({ passwordStdin }: UserAddOptions): Promise<string> {
  const message = 'Pipe the password in with --password-stdin; on a command line others could read it.';
  refuseWrong('password', passwordStdin === true, message);
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
