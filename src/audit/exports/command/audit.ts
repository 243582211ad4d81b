import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { Problem } from '#platform/model/problem/problem';
import type { Operator } from '#server/operator';
import { asJson, examples, printResult } from '#cli/output/output';
import { withOperator } from '#cli/settings';
import { addExportCommands } from './export.ts';
import { addStreamsCommand } from '../../streams/command.ts';
import { reportProgress } from '../../reports/command.ts';

interface VerifyOptions {
  key: string[];
  kept: string[];
  witness: string[];
  json?: boolean;
}

export const several = (flags: string, meaning: string): Option =>
  new Option(flags, meaning).argParser((value, all: string[]) => [...all, value]).default([], 'none');

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('verify and export the log of every request, decision and change');
  audit
    .command('verify')
    .description(
      'rebuild the log from its entries, check it against every signed checkpoint and compare every row; writes only an entry about the run',
    )
    .addOption(
      several(
        '--kept <file>',
        'a receipt or checkpoint kept elsewhere, to show that nothing was cut off since; can be repeated',
      ),
    )
    .addOption(
      several('--key <vkey>', 'trust a verifier key whose secret is no longer in ASSENTRY_SECRETS; can be repeated'),
    )
    .addOption(several('--witness <vkey>', 'a key of a witness that must have cosigned the log; can be repeated'))
    .option(...asJson)
    .addHelpText(...examples('assentry audit verify --kept eli_….tlog-proof'))
    .action(verify);
  addExportCommands(audit);
  addStreamsCommand(audit);
  audit
    .command('key')
    .description('show the keys that verify what this installation signs, the active one first')
    .option(...asJson)
    .action(showKeys);
}

async function verify({ key: keys, kept: files, witness: witnesses, json }: VerifyOptions): Promise<void> {
  const kept = await Promise.all(files.map(readKept));
  const report = await withOperator((operator) =>
    operator.verifyLog({ keys, kept, witnesses, onProgress: reportProgress('verified') }),
  );
  const { fault } = report;
  printResult(json, { ok: fault === null, ...report }, formatReport(report));
  if (fault !== null)
    throw new Problem('proof-invalid', {
      detail: 'Do not trust this log: it was changed, or what follows from it or protects it was.',
    });
}

type Report = Awaited<ReturnType<Operator['verifyLog']>>;

function formatReport({
  fault,
  size,
  root,
  checkpoints,
  unverified,
  unproven,
  waiting,
  rows,
  areViewsCompared,
  witnessed,
  origin,
}: Report): string[] {
  return [
    ...(fault === null ? [`The log ${origin} is whole: ${size} entries under ${checkpoints} checkpoints.`] : [fault]),
    ...(fault === null ? [`${rows} rows follow from it.`, `Root: ${root}`] : []),
    ...(fault === null && !areViewsCompared ? [viewsUnseen] : []),
    ...witnessed.map(
      ({ name, size: entries, at }) => `${name} saw ${entries} of them at ${new Date(at).toISOString()}.`,
    ),
    ...(unverified > 0
      ? [
          `${unverified} of the checkpoints are signed only by keys that are unknown here; they agree with the entries. Give a former key with --key to verify them.`,
        ]
      : []),
    ...(unproven > 0
      ? [
          `${unproven} of the entries have a MAC under a secret that is unknown here. They are as they were logged, but what rests on them is refused as unproven.`,
        ]
      : []),
    ...(waiting > 0 ? [`${waiting} entries wait for the next checkpoint.`] : []),
  ];
}

const viewsUnseen =
  'The views of reviewers were not compared: this login may make no temporary view. Have the owner run "GRANT TEMPORARY ON DATABASE … TO assentry_app;" to have that done as well.';

export function readKept(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Problem('INVALID_INPUT', { errors: [{ path: [file], message: 'This file cannot be read.' }], cause });
  });
}

async function showKeys({ json }: { json?: boolean }): Promise<void> {
  const shown = await withOperator((operator) => operator.logKeys());
  printResult(
    json,
    shown,
    shown.keys.map(({ key }) => key),
  );
}
