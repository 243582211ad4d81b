import type { Command } from 'commander';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { readSettings } from '#cli/settings';

interface CreateOptions {
  newPassword?: boolean;
  json?: boolean;
}

export function addAuditorCommands(program: Command): void {
  const auditor = program.command('auditor').description('make logins for reviewers who ask with SQL');
  auditor
    .command('create')
    .description('as the owner of the database: make a login that reads the views of reviewers and writes nothing')
    .argument('<name>', 'what the login is called')
    .option('--new-password', 'give that login a new password, if it is there')
    .option(...asJson)
    .addHelpText(...examples('DATABASE_URL=postgresql://owner:password@db/assentry assentry auditor create grace'))
    .action(createAuditor);
}

const namePattern = /^[a-z][a-z0-9_]{0,62}$/;

async function createAuditor(name: string, { newPassword: isReset = false, json }: CreateOptions): Promise<void> {
  const isRight = namePattern.test(name) && !name.startsWith('pg_');
  assertOption('NAME', isRight, 'Use up to 63 small letters, digits and underscores, with a letter first.');
  const settings = readSettings();
  const { makeAuditor } = await import('#server/installation');
  const url = await makeAuditor(settings, { name, isReset });
  printResult(json, { login: name, ...(url !== null && { databaseUrl: url }) }, formatLogin(name, url));
}

const formatLogin = (name: string, url: string | null): string[] =>
  url === null
    ? [`The login ${name} has all its rights and the password that it had; --new-password makes another.`]
    : ['Give the reviewer this address, which is shown once:', `  ${url}`];
