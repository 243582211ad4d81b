import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
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
  refuseNoAddress(email);
  const password = await readPassword(options);
  const name = options.name ?? email.split('@')[0] ?? email;
  const person = await withOperator((operator) => operator.addPerson({ email, name, role: options.role, password }));
  const { id, role } = person;
  printResult(options.json, { id, email: person.email, name, role }, [
    `${name} <${person.email}> may sign in as ${role}.`,
  ]);
}

function refuseNoAddress(email: string): void {
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return;
  throw new Problem('INVALID_INPUT', { errors: [{ path: ['EMAIL'], message: 'This is not an e-mail address.' }] });
}

async function readPassword({ passwordStdin }: UserAddOptions): Promise<string> {
  if (!passwordStdin) {
    const message = 'Pipe the password in and say --password-stdin; on a command line others could read it.';
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['password'], message }] });
  }
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
