import type { Command } from 'commander';
import type { Operator } from '../server.ts';
import { printResult, refuseWrong } from './output.ts';
import { withOperator } from './settings.ts';

const asJson = ['--json', 'print one JSON document'] as const;

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('keep the keys with which MCP servers ask');
  key
    .command('create')
    .description('make a key with which an MCP server may ask; it is shown once. A server may have several')
    .requiredOption('--server <name>', 'the name approvers see; a new one makes the server')
    .option(...asJson)
    .action(createKey);
  key
    .command('list')
    .description('list keys by what they are known by, never what is secret of them')
    .option('--server <name>', 'only those of this server')
    .option(...asJson)
    .action(listKeys);
  key
    .command('revoke')
    .description('end a key at once and for good; what it asked stays')
    .argument('<kid>', 'the key, as the list names it: the 16 characters after asn_')
    .option(...asJson)
    .action(revokeKey);
}

async function createKey({ server, json }: { server: string; json?: boolean }): Promise<void> {
  const isName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(server);
  refuseWrong('--server', isName, 'Use 1 to 64 letters, digits, spaces, dots, dashes and underscores.');
  const key = await withOperator((operator) => operator.createServerKey(server));
  printResult(json, { server, key }, [key, `Shown once. Give it to ${server} as ASSENTRY_API_KEY.`]);
}

type StoredKey = Awaited<ReturnType<Operator['listKeys']>>[number];

async function listKeys({ server, json }: { server?: string; json?: boolean }): Promise<void> {
  const all = await withOperator((operator) => operator.listKeys());
  const keys = all.filter((key) => server === undefined || key.server.name === server);
  const none = 'There is no key yet. Make one: assentry key create --server NAME';
  const nothing = server === undefined ? none : `There is no key of a server called ${server}.`;
  printResult(json, { keys }, keys.length === 0 ? [nothing] : keys.map(sayKey));
}

async function revokeKey(kid: string, { json }: { json?: boolean }): Promise<void> {
  refuseWrong('KID', /^[0-9a-f]{16}$/.test(kid), 'Give the 16 characters after asn_, as assentry key list has them.');
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
