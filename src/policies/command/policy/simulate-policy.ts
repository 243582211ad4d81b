import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { readPastedCall, type PasteFault } from '#requests/facts/contract/confirmation';
import type { Operator } from '#server/operator';
import { Problem } from '#platform/model/problem';
import { formatAside } from '#messages/english-aside';
import { formatClause } from '#messages/english-clauses';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';
import { documentsIn } from './policy-documents.ts';

type Simulated = Awaited<ReturnType<Operator['simulatePolicies']>>;
type Fixture = NonNullable<Parameters<Operator['simulatePolicies']>[1]['fixtures']>[number];

interface SimulateOptions {
  last: string;
  call?: string;
  server?: string;
  tool?: string;
  requester?: string;
  json?: boolean;
}

export function addSimulate(policy: Command): void {
  policy
    .command('simulate')
    .description('show what policies would decide for the latest requests, or for one call; a dry run')
    .argument('<file...>', 'files or directories')
    .option('--last <n>', 'how many of the latest requests, up to 1000', '100')
    .option('--call <file>', 'instead, one call: a tools/call of MCP or its arguments, as JSON; - is standard input')
    .option('--server <name>', 'the server that the call is made at')
    .option('--tool <name>', 'the tool, if the file holds its arguments only')
    .option('--requester <subject>', 'who asks, with a checked identity')
    .addHelpText(
      ...examples(
        'assentry policy simulate policies/ --last 500',
        'assentry policy simulate policies/ --call call.json --server bank',
      ),
    )
    .option(...asJson)
    .action(simulate);
}

async function simulate(places: string[], options: SimulateOptions): Promise<void> {
  const { last, call } = options;
  assertOption('--last', /^[1-9]\d{0,3}$/.test(last) && Number(last) <= 1000, 'Give a number from 1 to 1000.');
  const documents = await documentsIn(places);
  const tried = call === undefined ? { last: Number(last) } : { last: 0, fixtures: [await callIn(call, options)] };
  const simulation = await withOperator((operator) => operator.simulatePolicies(documents, tried));
  printResult(options.json, simulation, call === undefined ? formatLatest(simulation) : formatCall(simulation));
}

/** What people tried, as a request that was never asked. */
async function callIn(file: string, { server, tool, requester }: SimulateOptions): Promise<Fixture> {
  const call = readPastedCall(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'));
  if (typeof call === 'string') throw new Problem('INVALID_INPUT', { detail: `${file}: ${faults[call]}` });
  const name = tool ?? call.tool;
  if (server === undefined)
    throw new Problem('INVALID_INPUT', { detail: 'Name the server of the call with --server.' });
  if (name === null) throw new Problem('INVALID_INPUT', { detail: 'Name the tool of these arguments with --tool.' });
  const person = { subject: requester ?? 'someone', verified: requester !== undefined };
  return { name: 'call', server, tool: name, arguments: call.arguments, mode: 'form', requester: person };
}

const faults: Record<PasteFault, string> = {
  json: 'Give JSON; this is none.',
  object: 'Give a JSON object: a tools/call, or its arguments.',
  message: 'Give a tools/call; this is another message.',
};

const formatLatest = ({ requests, totals }: Simulated): string[] => [
  `${formatRequests(totals.requests)}: ${totals.decided} decided by these policies, ${totals.different} differently.`,
  ...requests
    .filter(({ differs }) => differs)
    .flatMap(({ elicitation, server, tool, live, draft, changes }) => [
      `${elicitation} ${server} ${tool}: ${formatVerdict(live)} → ${formatVerdict(draft)}`,
      ...(live.outcome === draft.outcome ? formatChanges(changes) : []),
    ]),
];

const formatChanges = ({ live, draft }: Simulated['requests'][number]['changes']): string[] => [
  ...live.map((clause) => `  − ${formatClause(clause)}`),
  ...draft.map((clause) => `  + ${formatClause(clause)}`),
];

/** What is decided now and with the documents, why, and who would be asked. */
const formatCall = ({ requests }: Simulated): string[] =>
  requests.flatMap(({ live, draft, explained, aside }) => [
    `Now: ${formatVerdict(live)}`,
    ...formatWhy(explained?.live),
    `With these policies: ${formatVerdict(draft)}`,
    ...formatWhy(explained?.draft),
    ...(aside === null ? [] : [`  ${formatAside(aside)}`]),
  ]);

type Explained = NonNullable<Simulated['requests'][number]['explained']>['live'];

const formatWhy = ({ terms, stages }: Explained = { terms: [], stages: [] }): string[] => [
  ...terms.map((term) => `  ${formatClause(term)}`),
  ...stages.map(({ name, people }) => `  ${name} asks ${people?.join(', ') ?? 'everyone who may vote'}.`),
];

const formatRequests = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);

const formatVerdict = ({ outcome, policy, rule, stages }: Simulated['requests'][number]['live']): string =>
  `${outcome}${stages.length > 0 ? ` ${stages.map(({ name }) => name).join(', ')}` : ''} (${rule === null ? '' : `rule ${rule} of `}${policy})`;
