import type { Command } from 'commander';
import { asJson, printResult } from './output.ts';
import { readSettings } from './settings.ts';

export const addMigrateCommand = (program: Command): Command =>
  program
    .command('migrate')
    .description('bring the database up to date, as every start does')
    .option(...asJson)
    .action(migrate);

async function migrate({ json }: { json?: boolean }): Promise<void> {
  const settings = readSettings();
  const { openInstallation } = await import('../installation/installation.ts');
  const installation = await openInstallation({ ...settings, onError: () => {} });
  const { migrated } = installation;
  await installation.close();
  const sentences =
    migrated.length === 0 ? ['The database was up to date.'] : migrated.map((name) => `Applied ${name}.`);
  printResult(json, { migrated }, sentences);
}
