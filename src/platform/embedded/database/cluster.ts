import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { giveTo, type EmbeddedDirectory } from '../process/directory.ts';
import { runProgram, type ServerCommands } from '../binaries/program.ts';

/** Makes the database cluster unless it exists; returns the password of its superuser. */
export async function createCluster(home: EmbeddedDirectory, commands: ServerCommands, fast: boolean): Promise<string> {
  if (!existsSync(path.join(home.data, 'PG_VERSION'))) await initialise(home, commands, fast);
  return (await readFile(home.password, 'utf8')).trim();
}

/** Under another name first: an interrupted run leaves no incomplete cluster. */
async function initialise(home: EmbeddedDirectory, commands: ServerCommands, fast: boolean): Promise<void> {
  const draft = `${home.data}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await giveTo(commands.account, draft);
  await writePassword(home, commands);
  await runProgram(home, commands, commands.binaries.initdb, [
    `--pgdata=${draft}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${home.password}`,
    '--encoding=UTF8',
    '--locale-provider=builtin', // the same sort order everywhere, whatever locales the system has
    '--locale=C.UTF-8',
    '--no-instructions',
    ...(fast ? ['--no-sync'] : []),
  ]);
  await appendFile(path.join(draft, 'postgresql.conf'), "\ninclude '../settings.conf'\n");
  await rename(draft, home.data);
}

async function writePassword(home: EmbeddedDirectory, { account }: ServerCommands): Promise<void> {
  await rm(home.password, { force: true });
  await writeFile(home.password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  await giveTo(account, home.password); // initdb reads it
}
