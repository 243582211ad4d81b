import type { Command } from 'commander';
import type { Operator } from '#server/operator';
import { formatTime } from '../keys/command/key.ts';
import { asJson, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

export function addTokenCommands(program: Command): void {
  const token = program
    .command('token')
    .description('list and revoke the administrative tokens of programs; the console makes them');
  token
    .command('list')
    .description('list every token: who made it and when, what it may do, its last use and its end')
    .option(...asJson)
    .action(listTokens);
  token
    .command('revoke')
    .description('revoke a token at once and permanently')
    .argument('<kid>', 'the 16 characters after "asnadm_" in the token; "assentry token list" shows them')
    .option(...asJson)
    .action(revokeToken);
}

async function listTokens({ json }: { json?: boolean }): Promise<void> {
  const tokens = await withOperator((operator) => operator.tokens.list());
  const none = 'There are no tokens yet. An administrator makes one in the console: Settings, Servers.';
  printResult(json, { tokens }, tokens.length === 0 ? [none] : tokens.map(formatToken));
}

async function revokeToken(kid: string, { json }: { json?: boolean }): Promise<void> {
  const advice = 'Give the 16 characters after asnadm_, as "assentry token list" shows them.';
  assertOption('KID', /^[0-9a-f]{16}$/.test(kid), advice);
  await withOperator((operator) => operator.tokens.revoke(kid));
  printResult(json, { revoked: kid }, [`${kid} opens nothing any more.`]);
}

type Token = Awaited<ReturnType<Operator['tokens']['list']>>[number];

function formatToken({
  kid,
  name,
  maker,
  permissions,
  networks,
  createdAt,
  lastUsedAt,
  expiresAt,
  revokedAt,
}: Token): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`;
  const from = networks.length === 0 ? [] : [`only from ${networks.join(', ')}`];
  const end = revokedAt === null ? `expires ${formatTime(expiresAt)}` : `revoked ${formatTime(revokedAt)}`;
  const origin = `made ${formatTime(createdAt)}${maker ? ` by ${maker.name}` : ''}`;
  return `${kid} ${name}: ${[origin, `may ${permissions.join(', ')}`, ...from, used, end].join('; ')}`;
}
