import type { Command } from 'commander';
import { namePattern, nameRule, toolPattern, toolRule } from '../model/names.ts';
import type { Operator } from '../installation/operator.ts';
import { asJson, examples, printResult, refuseWrong } from './terminal/output.ts';
import { withOperator } from './terminal/settings.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create, list and revoke API keys for MCP servers');
  key
    .command('create')
    .description('create an API key for a server, shown once; a server may have several')
    .requiredOption('--server <name>', 'the name approvers see; a new name creates the server')
    .option('--expires-in <days>', 'days until it expires; without it, it does not')
    .option('--tool <patterns...>', 'the tools it may ask about, with * for any characters; without it, all')
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry key create --server payments',
        "assentry key create --server payments --expires-in 90 --tool 'refund_*' lookup",
      ),
    )
    .action(createKey);
  key
    .command('list')
    .description('list every key: when it was made, last used and revoked, when it expires and for which tools')
    .option('--server <name>', 'only the keys of this server')
    .option(...asJson)
    .action(listKeys);
  key
    .command('revoke')
    .description('revoke a key at once and permanently; its requests stay')
    .argument('<kid>', 'the 16 characters after "asn_" in the key; "assentry key list" shows them')
    .option(...asJson)
    .action(revokeKey);
}

interface CreateOptions {
  server: string;
  expiresIn?: string;
  tool?: string[];
  json?: boolean;
}

async function createKey({ server, expiresIn, tool, json }: CreateOptions): Promise<void> {
  refuseWrong('--server', namePattern.test(server), nameRule);
  refuseWrong('--expires-in', expiresIn === undefined || /^[1-9]\d{0,3}$/.test(expiresIn), 'Give a number of days.');
  for (const pattern of tool ?? []) refuseWrong('--tool', toolPattern.test(pattern), toolRule);
  const expiresAt = expiresIn === undefined ? null : Date.now() + Number(expiresIn) * day;
  const make = (operator: Operator) => operator.createServerKey(server, { expiresAt, tools: tool });
  const key = await withOperator(make, { mayCreate: true });
  printResult(json, { server, key }, [key, `Shown once. Give it to ${server} as ASSENTRY_API_KEY.`]);
}

type StoredKey = Awaited<ReturnType<Operator['listKeys']>>[number];

async function listKeys({ server, json }: { server?: string; json?: boolean }): Promise<void> {
  const all = await withOperator((operator) => operator.listKeys());
  const keys = all.filter((key) => server === undefined || key.server.name === server);
  const none = 'There are no keys yet. Create one: assentry key create --server NAME';
  const nothing = server === undefined ? none : `There are no keys for a server called ${server}.`;
  printResult(json, { keys }, keys.length === 0 ? [nothing] : keys.map(sayKey));
}

async function revokeKey(kid: string, { json }: { json?: boolean }): Promise<void> {
  refuseWrong(
    'KID',
    /^[0-9a-f]{16}$/.test(kid),
    'Give the 16 characters after asn_, as "assentry key list" shows them.',
  );
  const key = await withOperator((operator) => operator.revokeKey(kid));
  printResult(json, { key }, [sayKey(key)]);
}

export function sayKey({ kid, server, createdAt, lastUsedAt, revokedAt, expiresAt, tools, maker }: StoredKey): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${sayTime(lastUsedAt)}`;
  const scope = tools.includes('*') ? [] : [`only for ${tools.join(', ')}`];
  const end = expiresAt === null ? [] : [`${expiresAt <= Date.now() ? 'expired' : 'expires'} ${sayTime(expiresAt)}`];
  const off = maker?.disabled ? [`opens nothing while ${maker.name} is disabled`] : [];
  const state = revokedAt === null ? [...end, ...off] : [`revoked ${sayTime(revokedAt)}`];
  return `${kid} ${server.name}: ${[`made ${sayTime(createdAt)}${maker ? ` by ${maker.name}` : ''}`, used, ...scope, ...state].join('; ')}`;
}

/** Milliseconds. */
const day = 86_400_000;

/** To the second, in UTC: 2026-11-21 14:05:09Z. */
export const sayTime = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace(/\.\d+/, '');
