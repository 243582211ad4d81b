import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { Problem } from '#platform/model/problem';
import { formatClause } from '#messages/english-clauses';
import type { PolicyFile } from '../../operator.ts';
import { documentsIn, read } from './policy-documents.ts';
import { addSimulate } from './simulate-policy.ts';
import { awaitChange, openAdministration, tokenFileOption, waitOption, type RemoteOptions } from '#cli/administration';
import { asJson, examples, printDocument, printProgress, printResult } from '#cli/output';
import { withOperator } from '#cli/settings';

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
  const { policyJsonSchema } = await import('../../operator.ts');
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
