import type { Command } from 'commander';
import { checkSettings } from '#platform/config/check';
import { assertTls } from '#server/options';
import { asJson, examples, printResult } from './output.ts';
import { readSettings } from './settings.ts';

export const addConfigCommands = (program: Command): void =>
  void program
    .command('config')
    .description('look at the settings of this installation')
    .command('check')
    .description('say what is set, without secrets, and all that is wrong with it; exits with 1 if anything is')
    .option(...asJson)
    .addHelpText(...examples('assentry config check', 'assentry config check --json'))
    .action(check);

function check({ json }: { json?: boolean }): void {
  const { set, faults } = checkSettings((environment) => assertTls(readSettings(environment)));
  const sentence =
    faults.length > 0
      ? 'Mend what is wrong before you start a node:'
      : set.length === 0
        ? 'Nothing is set: everything is as by default.'
        : 'Every setting can be read. Whether what they lead to answers, a start shows.';
  printResult(json, { set, faults }, [
    ...set.map(({ name, value }) => `${name}=${value}`),
    sentence,
    ...faults.map((fault) => `  ${fault}`),
  ]);
  if (faults.length > 0) process.exitCode = 1;
}
