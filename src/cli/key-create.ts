import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { printResult } from './output.ts';
import { withOperator } from './settings.ts';

interface KeyCreateOptions {
  server: string;
  json?: boolean;
}

export const addKeyCommands = (program: Command): Command =>
  program
    .command('key')
    .description('keys of MCP servers')
    .command('create')
    .description('make a key with which an MCP server may ask; it is shown once. A server may have several')
    .requiredOption('--server <name>', 'the name approvers see')
    .option('--json', 'print one JSON document')
    .action(createKey);

async function createKey({ server, json }: KeyCreateOptions): Promise<void> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(server)) {
    const message = 'Use 1 to 64 letters, digits, spaces, dots, dashes and underscores.';
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['--server'], message }] });
  }
  const key = await withOperator((operator) => operator.createServerKey(server));
  printResult(json, { server, key }, [key, `Shown once. Give it to ${server} as ASSENTRY_API_KEY.`]);
}
