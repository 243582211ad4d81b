import { Option, type Command } from 'commander';
import { erasureGrounds, type ErasureGround } from '#requests/asking/contract/elicitation';
import { isId, type ElicitationId, type HoldId } from '#platform/model/id';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';
import type { Hold } from './contract.ts';

export function addContentCommands(program: Command): void {
  const content = program.command('content').description('erase what requests said, or keep it from being erased');
  content
    .command('erase')
    .description('destroy the key of a request’s content; its entries and receipt stay valid')
    .argument('<request>', 'the id of the request')
    .option('--requester', 'everything that the requester of this request ever asked')
    .addOption(new Option('--ground <ground>', 'why').choices(erasureGrounds).makeOptionMandatory())
    .option(...asJson)
    .addHelpText(...examples('assentry content erase eli_… --ground asked --requester'))
    .action(erase);
  content
    .command('hold')
    .description('place a legal hold: nothing in its scope is erased until it is released')
    .option('--request <id>', 'the content of this request')
    .option('--requester <id>', 'everything that the requester of this request ever asked')
    .option('--server <name>', 'all requests of this server')
    .option('--all', 'everything')
    .requiredOption('--reason <text>', 'the matter; it is stored readable and never erased, so name no one')
    .option(...asJson)
    .addHelpText(...examples('assentry content hold --server payments --reason "Case 2026-14"'))
    .action(hold);
  content
    .command('release')
    .description('release a legal hold')
    .argument('<hold>', 'the id that "assentry content holds" shows')
    .option(...asJson)
    .action(release);
  content
    .command('holds')
    .description('list the legal holds in force')
    .option(...asJson)
    .action(list);
}

interface EraseOptions {
  requester?: boolean;
  ground: ErasureGround;
  json?: boolean;
}

async function erase(id: string, { requester, ground, json }: EraseOptions): Promise<void> {
  const request = requestId('REQUEST', id);
  const of = requester === true ? 'requester' : 'request';
  const done = await withOperator((operator) => operator.eraseContent({ request, of, ground }));
  const { erased, held, needed } = done;
  const kept = `Kept: ${held} by a legal hold, ${needed} still needed.`;
  printResult(json, { erased, held, needed }, [`Erased the content of ${formatRequests(erased)}.`, kept]);
}

const formatRequests = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);

interface HoldOptions {
  request?: string;
  requester?: string;
  server?: string;
  all?: boolean;
  reason: string;
  json?: boolean;
}

/** Options with their scopes. */
const scopes = { request: 'request', requester: 'requester', server: 'server', all: 'everything' } as const;
type ScopeOption = keyof typeof scopes;

async function hold({ reason, json, ...options }: HoldOptions): Promise<void> {
  const [option, ...others] = (Object.keys(scopes) as ScopeOption[]).filter((name) => options[name] !== undefined);
  const isSingle = option !== undefined && others.length === 0;
  assertOption('OPTIONS', isSingle, 'Give one of --request, --requester, --server and --all.');
  assertOption('--reason', reason.trim() !== '', 'Give a reason.');
  const id = options.request ?? options.requester;
  const request = {
    scope: scopes[option as ScopeOption],
    request: id === undefined ? null : requestId(`--${option}`, id),
    server: options.server ?? null,
    reason,
  };
  const placed = await withOperator((operator) => operator.placeHold(request));
  printResult(json, { hold: placed }, [formatHold(placed)]);
}

async function release(id: string, { json }: { json?: boolean }): Promise<void> {
  assertOption('HOLD', isId('hold', id), 'Give an id as "assentry content holds" shows it; it begins with hld_.');
  const released = await withOperator((operator) => operator.releaseHold(id as HoldId));
  printResult(json, { hold: released }, [formatHold(released)]);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const holds = (await withOperator((operator) => operator.listHolds())).filter(({ released }) => released === null);
  printResult(json, { holds }, holds.length === 0 ? ['Nothing is held.'] : holds.map(formatHold));
}

const formatHold = (hold: Hold): string =>
  `${hold.id} ${formatScope(hold)}: ${hold.released ? 'released' : 'held'}. ${hold.reason}`;

const formatScope = ({ scope, request, server }: Hold): string =>
  ({
    request: `${request}`,
    requester: `the requester of ${request}`,
    server: `all of ${server}`,
    everything: 'everything',
  })[scope];

function requestId(where: string, id: string): ElicitationId {
  assertOption(where, isId('elicitation', id), 'Give the id of a request; it begins with eli_.');
  return id as ElicitationId;
}
