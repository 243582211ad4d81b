import type { Command } from 'commander';
import { marksOf, type KeyMark } from '../contract/marks.ts';
import { namePattern, nameRule, networkPattern, networkRule, toolPattern, toolRule } from '#platform/model/names';
import type { Operator } from '#server/operator';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';
import type { KeyEntry } from '../contract/key.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create, list and revoke API keys for MCP servers');
  key
    .command('create')
    .description('create an API key for a server, shown once; a server may have several')
    .requiredOption('--server <name>', 'the name approvers see; a new name creates the server')
    .option('--expires-in <days>', 'days until it expires; without it, it does not')
    .option('--tool <patterns...>', 'the tools it may ask about, with * for any characters; without it, all')
    .option('--network <networks...>', 'the networks it works from, such as 10.0.0.0/8; without it, from anywhere')
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry key create --server payments',
        "assentry key create --server payments --expires-in 90 --tool 'refund_*' lookup --network 10.0.0.0/8",
      ),
    )
    .action(createKey);
  key
    .command('list')
    .description('list every key: who made it and when, its last use, its limits, and what there is to do about it')
    .option('--server <name>', 'only the keys of this server')
    .option(...asJson)
    .action(listKeys);
  key
    .command('rotate')
    .description('make a key with the limits of this one, which then works for a while and ends')
    .argument('<kid>', 'the 16 characters after "asn_" in the key; "assentry key list" shows them')
    .option('--overlap <time>', 'how long both work, such as 30m, 24h or 7d, at most 30d', '24h')
    .option(...asJson)
    .addHelpText(...examples('assentry key rotate 0123456789abcdef --overlap 7d'))
    .action(rotateKey);
  key
    .command('set')
    .description('change the networks that a key works from, at once')
    .argument('<kid>', 'the 16 characters after "asn_" in the key; "assentry key list" shows them')
    .requiredOption('--network <networks...>', 'such as 10.0.0.0/8; "anywhere" for no limit')
    .option(...asJson)
    .addHelpText(...examples('assentry key set 0123456789abcdef --network 10.0.0.0/8 192.0.2.7/32'))
    .action(setKey);
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
  network?: string[];
  json?: boolean;
}

async function createKey({ server, expiresIn, tool, network, json }: CreateOptions): Promise<void> {
  assertOption('--server', namePattern.test(server), nameRule);
  assertOption('--expires-in', expiresIn === undefined || /^[1-9]\d{0,3}$/.test(expiresIn), 'Give a number of days.');
  for (const pattern of tool ?? []) assertOption('--tool', toolPattern.test(pattern), toolRule);
  for (const text of network ?? []) assertOption('--network', networkPattern.test(text), networkRule);
  const expiresAt = expiresIn === undefined ? null : Date.now() + Number(expiresIn) * day;
  const make = (operator: Operator) => operator.createServerKey(server, { expiresAt, tools: tool, networks: network });
  const key = await withOperator(make, { mayCreate: true });
  printResult(json, { server, key }, [key, `Shown once. Give it to ${server} as ASSENTRY_API_KEY.`]);
}

async function listKeys({ server, json }: { server?: string; json?: boolean }): Promise<void> {
  const all = await withOperator((operator) => operator.listKeys());
  const keys = all.filter((key) => server === undefined || key.server.name === server);
  const none = 'There are no keys yet. Create one: assentry key create --server NAME';
  const nothing = server === undefined ? none : `There are no keys for a server called ${server}.`;
  const marked = keys.map((key) => ({ ...key, marks: marksOf(key, Date.now()) }));
  printResult(json, { keys: marked }, keys.length === 0 ? [nothing] : keys.map(formatKey));
}

async function rotateKey(kid: string, { overlap, json }: { overlap: string; json?: boolean }): Promise<void> {
  assertOption('KID', kidPattern.test(kid), kidRule);
  const [, amount = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(overlap) ?? [];
  assertOption('--overlap', unit !== '', 'Give a number followed by m, h or d, such as 24h.');
  const overlapMs = Number(amount) * { m: 60_000, h: 3_600_000, d: day }[unit as 'm' | 'h' | 'd'];
  const { server, key, endsAt, ...next } = await withOperator((operator) => operator.rotateKey(kid, overlapMs));
  printResult(json, { server, kid: next.kid, key, replaces: kid, endsAt }, [
    key,
    `Shown once. Give it to ${server} as ASSENTRY_API_KEY. The old key, ${kid}, works until ${formatTime(endsAt)}.`,
  ]);
}

async function setKey(kid: string, { network, json }: { network: string[]; json?: boolean }): Promise<void> {
  assertOption('KID', kidPattern.test(kid), kidRule);
  const networks = network.join() === 'anywhere' ? [] : network;
  for (const text of networks) assertOption('--network', networkPattern.test(text), networkRule);
  const key = await withOperator((operator) => operator.changeKey(kid, networks));
  printResult(json, { key }, [formatKey(key)]);
}

async function revokeKey(kid: string, { json }: { json?: boolean }): Promise<void> {
  assertOption('KID', kidPattern.test(kid), kidRule);
  const key = await withOperator((operator) => operator.revokeKey(kid));
  printResult(json, { key }, [formatKey(key)]);
}

const kidPattern = /^[0-9a-f]{16}$/;
const kidRule = 'Give the 16 characters after asn_, as "assentry key list" shows them.';

export function formatKey(key: KeyEntry): string {
  const { kid, server, createdAt, lastUsedAt, revokedAt, expiresAt, tools, networks, replacedBy, maker } = key;
  const marks = marksOf(key, Date.now());
  const used = lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`;
  const scope = tools.includes('*') ? [] : [`only for ${tools.join(', ')}`];
  const from = networks.length === 0 ? [] : [`only from ${networks.join(', ')}`];
  const next = replacedBy === null ? [] : [`replaced by ${replacedBy}`];
  const end =
    expiresAt === null ? [] : [`${marks.includes('expired') ? 'expired' : 'expires'} ${formatTime(expiresAt)}`];
  const advice = marks.flatMap((mark) => advised[mark] ?? []);
  const off = maker?.disabled ? [`opens nothing while ${maker.name} is disabled`] : [];
  const state = revokedAt === null ? [...next, ...end, ...off, ...advice] : [`revoked ${formatTime(revokedAt)}`];
  return `${kid} ${server.name}: ${[`made ${formatTime(createdAt)}${maker ? ` by ${maker.name}` : ''}`, used, ...scope, ...from, ...state].join('; ')}`;
}

/** Marks that the list shows in capitals, so that they are noticed. */
const advised: Partial<Record<KeyMark, string>> = {
  'expires-soon': 'EXPIRES WITHIN 14 DAYS: rotate it',
  unused: 'NOT USED FOR 90 DAYS: revoke it if no server needs it',
};

/** Milliseconds. */
const day = 86_400_000;

/** To the second, in UTC: 2026-11-21 14:05:09Z. */
export const formatTime = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace(/\.\d+/, '');
