import type { Command } from 'commander';
import { readConfig } from '#platform/config/config';
import { shareEnvironment } from '#platform/config/env';
import { askOnce } from '#gateway/harness/socket';
import { formatStatus } from '#gateway/harness/command/serve-socket';
import { directoryOf, findServing } from '#server/directory-of';
import { asJson, examples, printResult } from './output.ts';

export const addStatusCommand = (program: Command): Command =>
  program
    .command('status')
    .description(
      'say in one line how many requests wait, as for a status line; exits with 1 if Assentry does not run here',
    )
    .option(
      '--data-dir <directory>',
      'the data directory, in place of ASSENTRY_DATA_DIR; with it, the command is quicker',
    )
    .option(...asJson)
    .addHelpText(...examples('assentry status', 'assentry status --json'))
    .action(printStatus);

async function printStatus({ dataDir, json = false }: { dataDir?: string; json?: boolean }): Promise<void> {
  const { own } = shareEnvironment();
  const directory = directoryOf(readConfig({ ...own, ...(dataDir !== undefined && { ASSENTRY_DATA_DIR: dataDir }) }));
  const answer = await askOnce(directory, { status: { json } });
  if (answer !== null) return void process.stdout.write(answer.output);
  const url = await findServing(directory);
  if (url !== null) return printResult(json, { url, waiting: null }, [formatStatus(url, null)]);
  process.exitCode = 1;
  printResult(json, { url, waiting: null }, ['Assentry does not run here: start it with "assentry"']);
}
