import type { Command } from 'commander';
import { readKept, several } from '#audit/exports/command';
import { formatLogin } from '#cli/migrate';
import { asJson, examples, printResult } from '#cli/output';
import { readSettings } from '#cli/settings';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('as the owner of the database: write one moment of it to a directory, while nodes go on')
    .argument('<directory>', 'a new or empty directory')
    .option(...asJson)
    .addHelpText(...examples('DATABASE_URL=postgresql://owner:password@db/assentry assentry backup 2026-11-22'))
    .action(backup);
  program
    .command('restore')
    .description('as the owner of an empty database: restore a backup and verify it; makes the login of the nodes')
    .argument('<directory>', 'the directory of the backup')
    .addOption(
      several(
        '--kept <file>',
        'a receipt or checkpoint kept elsewhere, which the backup must contain; can be repeated',
      ),
    )
    .option('--older', 'declare that the backup is older than a known head of the log; becomes an entry of the log')
    .option('--login <name>', 'what the login of the nodes is called (default: the name of the database and "_node")')
    .option(...asJson)
    .addHelpText(...examples('DATABASE_URL=postgresql://owner:password@db/assentry assentry restore 2026-11-22'))
    .action(restore);
}

async function backup(directory: string, { json }: { json?: boolean }): Promise<void> {
  const { makeBackup } = await import('./wiring.ts');
  const { at, origin, size, secrets, dump } = await makeBackup(readSettings(), directory);
  const kids = secrets.map(({ kid }) => kid);
  printResult(json, { directory, at, origin, size, secrets: kids, bytes: dump.bytes }, [
    `${directory} holds everything as of ${at}: ${size} entries of ${origin}.`,
    `It opens only with the secrets ${kids.join(', ')}: keep them in another place.`,
  ]);
}

interface RestoreOptions {
  kept: string[];
  older?: boolean;
  login?: string;
  json?: boolean;
}

async function restore(directory: string, { kept, older, login: name, json }: RestoreOptions): Promise<void> {
  const { restoreBackup } = await import('./wiring.ts');
  const request = {
    directory,
    kept: await Promise.all(kept.map(readKept)),
    isOlder: older === true,
    login: { name },
  };
  const { manifest, report, lost, headAside, prepared } = await restoreBackup(readSettings(), request);
  const { at, origin } = manifest;
  const { size, rows } = report;
  const facts = { at, origin, size, rows, lost: lost && { size: lost.size }, headAside };
  const shown = prepared && { login: prepared.login, ...(prepared.url !== null && { databaseUrl: prepared.url }) };
  printResult(json, { ...facts, ...shown }, [
    `Everything is back as of ${at}: ${size} entries of ${origin}, and ${rows} rows that follow from them.`,
    ...(lost ? [`Lost: what came after, up to entry ${lost.size}. Look what ran then before it may run again.`] : []),
    ...(headAside === null ? [] : [`The head that proves it is in ${headAside}: keep it.`]),
    ...(prepared ? formatLogin(prepared.login, prepared.url, false) : []),
  ]);
}
