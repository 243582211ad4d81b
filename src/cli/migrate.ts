import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { asJson, examples, printProgress, printResult, assertOption } from './output.ts';
import { readSettings } from './settings.ts';

interface MigrateOptions {
  login?: string;
  newPassword?: boolean;
  passwordStdin?: boolean;
  json?: boolean;
}

export const addMigrateCommand = (program: Command): Command =>
  program
    .command('migrate')
    .description('bring the database up to date as its owner, and make the login that nodes and commands run under')
    .option('--login <name>', 'what that login is called (default: the name of the database and "_node")')
    .option('--new-password', 'give that login a new password, if it is there')
    .option('--password-stdin', 'read the password of that login from standard input, instead of making one')
    .option(...asJson)
    .addHelpText(...examples('DATABASE_URL=postgresql://owner:password@db/assentry assentry migrate'))
    .action(migrate);

async function migrate({ login: name, newPassword: isReset, passwordStdin, json }: MigrateOptions): Promise<void> {
  const password = passwordStdin ? (await text(process.stdin)).trim() : undefined;
  assertOption('--password-stdin', password === undefined || password.length >= 15, 'Give at least 15 characters.');
  const settings = readSettings();
  const { migrateInstallation } = await import('#server/installation');
  const { migrated, login, url } = await migrateInstallation(settings, { name, password, isReset }, progress);
  const shown = passwordStdin ? null : url;
  const result = { ...(login !== null && { login }), ...(shown !== null && { databaseUrl: shown }) };
  printResult(json, { migrated, ...result }, [
    ...(migrated.length === 0 ? ['The database was up to date.'] : migrated.map((each) => `Applied ${each}.`)),
    ...(login === null ? [] : formatLogin(login, shown, passwordStdin === true)),
  ]);
}

const progress = {
  onStarted: (name: string): void => printProgress(`Applying ${name} …`),
  onWaiting: (name: string, sessions: string): void =>
    printProgress(`${name} waits for others who use its table: ${sessions}`),
};

export function formatLogin(login: string, url: string | null, isGiven: boolean): string[] {
  if (url !== null) return ['Give nodes and commands this DATABASE_URL, which is shown once:', `  ${url}`];
  if (isGiven) return [`Nodes and commands run under the login ${login}, with the password that you gave.`];
  return [`The login ${login} has all its rights and the password that it had; --new-password makes another.`];
}
