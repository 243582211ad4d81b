import { readFile, mkdir, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { readPastedCall, type PasteFault } from '#requests/facts/contract/confirmation';
import type { Operator } from '#server/operator';
import { Problem } from '#platform/model/problem';
import { formatAside } from '#messages/clause-parts';
import { formatClause } from '#messages/sentence-words';
import { asJson, examples, printResult, assertOption, printDocument, printProgress } from '#cli/output';
import { withOperator } from '#cli/settings';
import path from 'node:path';
import type { PolicyFile } from '../operator.ts';
import { awaitChange, openAdministration, tokenFileOption, waitOption, type RemoteOptions } from '#cli/administration';

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

function addSimulate(policy: Command): void {
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

/** A tried call, as a request that was never asked. */
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

/** Decisions now and with the documents, their reasons, and who would be asked. */
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

interface JsonOption {
  json?: boolean;
}

export function addPolicyCommands(program: Command): void {
  const policy = program.command('policy').description('check, try, publish and export policies as files');
  policy
    .command('check')
    .description('check policies and show each error with its place; needs no database')
    .argument('<file...>', 'files or directories')
    .option(...asJson)
    .action(check);
  policy
    .command('apply')
    .description(
      'publish policies as the operator or, with --url, with an administrative token; unchanged policies are skipped',
    )
    .argument('<file...>', 'files or directories')
    .option('--prune', 'retire published policies of the same space that are in none of the files')
    .option('--dry-run', 'say what would be changed, and change nothing')
    .option('--space <name>', 'the space that they belong to; without it they are global')
    .option(
      '--url <url>',
      'where Assentry answers: a second administrator decides there; without it, the database is used',
    )
    .option(...tokenFileOption)
    .option(...waitOption)
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry policy apply policies/',
        'assentry policy apply --prune --dry-run policies/',
        'assentry policy apply --url https://assentry.example.com --token-file token --wait policies/',
      ),
    )
    .action(apply);
  policy
    .command('export')
    .description('write every published policy to a directory, or to standard output')
    .argument('[directory]', 'the directory to write to, one file for each policy')
    .option(...asJson)
    .action(exportAll);
  addSimulate(policy);
  policy
    .command('schema')
    .description('print the JSON Schema of a policy, for editors; needs no database')
    .option(...asJson)
    .action(showSchema);
}

async function check(places: string[], { json }: JsonOption): Promise<void> {
  const files = await read(places);
  const faults = formatFaults(files);
  const warnings = files.flatMap(({ file, warnings }) => warnings.map((warning) => `${file}: ${warning}`));
  const results = files.map(({ file, faults: errors, policies, warnings }) => ({
    file,
    errors,
    warnings,
    policies: policies.map(({ name, terms }) => ({ name, sentences: terms.map(formatClause) })),
  }));
  const names = files.flatMap(({ policies }) => policies.map(({ name }) => name));
  const fine = names.length === 1 ? `${names[0]} has no errors.` : `${names.length} policies have no errors.`;
  printResult(json, { ok: faults.length === 0, files: results }, [
    ...(faults.length > 0 ? faults : [fine]),
    ...warnings,
  ]);
  if (faults.length > 0) throw new Problem('policy-invalid', { detail: formatCount(faults.length) });
}

const formatCount = (count: number): string => (count === 1 ? 'There is one error.' : `There are ${count} errors.`);

const formatFaults = (files: PolicyFile[]): string[] =>
  files.flatMap(({ file, faults }) =>
    faults.map(({ line, column, path: key, message }) =>
      [`${file}:${line}:${column}`, ...(key.length > 0 ? [key.join('.')] : []), message].join(': '),
    ),
  );

async function showSchema({ json }: JsonOption): Promise<void> {
  const { policyJsonSchema } = await import('../operator.ts');
  const schema = policyJsonSchema();
  if (json) printResult(json, schema, []);
  else printDocument(JSON.stringify(schema, null, 2));
}

interface ApplyOptions extends JsonOption, RemoteOptions {
  prune?: boolean;
  dryRun?: boolean;
  space?: string;
}

async function apply(places: string[], options: ApplyOptions): Promise<void> {
  const { json, prune: isPruning, dryRun: isDryRun, space, url } = options;
  if (url !== undefined && space !== undefined)
    throw new Problem('INVALID_INPUT', {
      detail: 'Leave out --url or --space: policies of a space are applied with the database.',
    });
  const documents = await documentsIn(places);
  const { applied, request } =
    url === undefined
      ? { applied: await withOperator((operator) => operator.applyPolicies(documents, { isPruning, isDryRun, space })) }
      : await applyRemotely(documents, options);
  const wouldBe = isDryRun || request ? 'would be ' : '';
  const lines = applied.map(
    ({ name, version, change }) => `${name}@${version}: ${change === 'unchanged' ? change : wouldBe + change}`,
  );
  const waits = request ? [`Nothing is published until a second administrator accepts ${request}.`] : [];
  printResult(json, { ...(isDryRun && { dryRun: true }), applied, ...(request && { request }) }, [...lines, ...waits]);
}

/** With the request that still waits, if it does. */
async function applyRemotely(documents: string[], { prune, dryRun, ...remote }: ApplyOptions) {
  const administration = openAdministration(remote);
  const { applied, request } = await administration.applyPolicies({ documents, prune, dryRun });
  const end = await awaitChange(administration, request, remote);
  return { applied, request: end === 'waiting' ? request : undefined };
}

async function exportAll(directory: string | undefined, { json }: JsonOption): Promise<void> {
  const policies = await withOperator((operator) => operator.exportPolicies());
  if (directory !== undefined) {
    await mkdir(directory, { recursive: true });
    for (const { name, document } of policies) await writeFile(path.join(directory, `${name}.yaml`), document);
  }
  if (policies.length === 0) printProgress('No policy is published.');
  if (directory === undefined && !json)
    printDocument(policies.map(({ document }) => document.trimEnd()).join('\n---\n'));
  else
    printResult(
      json,
      { policies },
      policies.map(({ name }) => path.join(directory ?? '', `${name}.yaml`)),
    );
  const errors = policies.flatMap(({ name, version, errors }) =>
    errors.map(({ line, column, message }) => ({ path: [`${name}@${version}:${line}:${column}`], message })),
  );
  if (errors.length > 0) throw new Problem('policy-unreadable', { detail: unreadable, errors });
}

const unreadable = 'No request can open, because a published policy cannot be read. Correct it and apply it:';

/** The texts of all policies, or problem `policy-invalid` with every place. */
async function documentsIn(places: string[]): Promise<string[]> {
  const files = await read(places);
  const faults = files.flatMap(({ file, faults: errors }) =>
    errors.map(({ line, column, message }) => ({ path: [`${file}:${line}:${column}`], message })),
  );
  if (faults.length > 0)
    throw new Problem('policy-invalid', { detail: 'Correct these errors; nothing was done:', errors: faults });
  return files.flatMap(({ documents }) => documents);
}

/** Every policy in these files and directories, with its faults. */
export async function read(places: string[]): Promise<PolicyFile[]> {
  const { readPolicyFiles } = await import('../operator.ts'); // so that help does not wait for it
  return readPolicyFiles(places);
}
