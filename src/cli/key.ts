import type { Command } from 'commander';
import { namePattern, nameRule } from '../model/names.ts';
import type { Operator } from '../installation/operator.ts';
import { asJson, examples, printResult, refuseWrong } from './terminal/output.ts';
import { withOperator } from './terminal/settings.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create, list and revoke API keys for MCP servers');
  key
    .command('create')
    .description('create an API key for a server, shown once; a server may have several')
    .requiredOption('--server <name>', 'the name approvers see; a new name creates the server')
    .option(...asJson)
    .addHelpText(...examples('assentry key create --server payments'))
    .action(createKey);
  key
    .command('list')
    .description('list every key: when it was made, last used and revoked, without its secret')
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

async function createKey({ server, json }: { server: string; json?: boolean }): Promise<void> {
  refuseWrong('--server', namePattern.test(server), nameRule);
  const key = await withOperator((operator) => operator.createServerKey(server), { mayCreate: true });
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

function sayKey({ kid, server, createdAt, lastUsedAt, revokedAt }: StoredKey): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${sayTime(lastUsedAt)}`;
  const state = revokedAt === null ? [] : [`revoked ${sayTime(revokedAt)}`];
  return `${kid} ${server.name}: ${[`made ${sayTime(createdAt)}`, used, ...state].join('; ')}`;
}

/** To the second, in UTC: 2026-11-21 14:05:09Z. */
const sayTime = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace(/\.\d+/, '');
