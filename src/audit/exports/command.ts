import { readFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { Problem } from '#platform/model/problem';
import type { Operator, OperatorFilter } from '#server/operator';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';
import { addStreamsCommand } from '../streams/command.ts';
import { reportProgress } from '../reports/command.ts';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { exportFormats } from './rules/file.ts';
import { checkExport, linesOf, type ExportVerdict } from './rules/check.ts';
import type { StoredEvent } from '../entries/rules/entry.ts';
import { parseVerifierKey } from '../tree/rules/notes.ts';
import { isId, type ElicitationId } from '#platform/model/id';
import { statuses, type Status } from '#requests/asking/contract/elicitation';

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

/** Files of entries, of which the first proves them, or the directory that tools for tiled logs read. */
const formats = [...exportFormats, 'tiles'] as const;
type Format = (typeof formats)[number];

type ExportOptions = FilterOptions & { format: Format; json?: boolean };

/** Adds `export` and `verify-export` to the command `audit`. */
function addExportCommands(audit: Command): void {
  addFilterOptions(audit.command('export'))
    .description(
      'write entries of the log to a file that anyone can verify; with --format tiles, all of it to a directory',
    )
    .argument('<file>', 'the file, or the directory, to write to; created if it is missing')
    .addOption(new Option('--format <format>', 'jsonl holds the proofs').choices(formats).default('jsonl'))
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry audit export refunds.jsonl --tool refund --from 2026-07-01 --to 2026-10-01',
        'assentry audit export log/ --format tiles',
      ),
    )
    .action(exportTo);
  audit
    .command('verify-export')
    .description('verify every line of an export and name the first bad one; needs no database, network or settings')
    .argument('<file>', 'what "assentry audit export" wrote')
    .requiredOption(
      '--key <vkey>',
      'a key of the installation from "assentry audit key", received from someone you trust; can be repeated',
      (value: string, all: string[] | undefined) => [...(all ?? []), value],
    )
    .option('--request <id>', 'also show the entries that name this request')
    .option(...asJson)
    .addHelpText(
      ...examples(
        "assentry audit verify-export refunds.jsonl --key 'assentry/…'",
        "assentry audit verify-export 2025.jsonl --key 'assentry/…' --request eli_…",
      ),
    )
    .action(verifyExport);
}

async function exportTo(target: string, { format, json, ...options }: ExportOptions): Promise<void> {
  const filter = readFilter(options);
  if (format === 'tiles') {
    const isWhole = Object.values(filter).every((value) => value === undefined);
    assertOption('--format', isWhole, 'Leave the filter out: tiles are the whole log.');
    return exportTiles(target, json);
  }
  const exported = await withOperator((operator) =>
    writeWhole(target, (write) =>
      operator.exportEntries(filter, format, { write, onProgress: reportProgress('looked at') }),
    ),
  );
  const { entries, size, origin } = exported;
  printResult(json, { ...exported }, [`${entries} of the ${size} entries of ${origin} are in ${target}.`]);
}

/** Writes next to the file and puts it in place when it is whole. */
async function writeWhole<T>(file: string, fill: (write: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  const draft = `${file}.part`;
  const handle = await open(draft, 'w', 0o600).catch((cause: unknown) => {
    throw new Problem('INVALID_INPUT', { errors: [{ path: [file], message: 'This file cannot be written.' }], cause });
  });
  try {
    const result = await fill((text) => handle.writeFile(text));
    await handle.close();
    await rename(draft, file);
    return result;
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}

async function exportTiles(directory: string, json: boolean | undefined): Promise<void> {
  const write = async (file: string, content: Uint8Array): Promise<void> => {
    const place = path.join(directory, ...file.split('/'));
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
  };
  const exported = await withOperator((operator) => operator.exportLog(write));
  printResult(json, exported, [`${exported.size} entries of ${exported.origin} are in ${directory}.`]);
}

interface ExportCheckOptions {
  key: string[];
  request?: string;
  json?: boolean;
}

async function verifyExport(file: string, { key, request, json }: ExportCheckOptions): Promise<void> {
  assertOption('--request', request === undefined || isId('elicitation', request), 'Give an id that begins with eli_.');
  const named: ExportedEntry[] = [];
  const checked = await checkExport(linesOf(readChunks(file)), key.map(parseVerifierKey), (index, entry) => {
    if (request !== undefined && JSON.stringify(entry).includes(`"${request}"`))
      named.push({ index, entry: entry as StoredEvent });
  });
  const { fault, verdict, entries, size, origin, filter } = checked;
  const kind =
    filter.length > 0 ? `those with ${filter.map(formatFact).join(', ')}` : 'all from the first to the last of them';
  const sentences = [
    'This export is genuine.',
    `It holds ${entries} of the first ${size} entries in the log ${origin}: ${kind}.`,
    ...(request === undefined
      ? []
      : [named.length > 0 ? `${named.length} of them name ${request}.` : unnamed(request)]),
    ...named.map(formatEntry),
  ];
  const result = { ok: fault === null, ...checked, ...(request !== undefined && fault === null && { named }) };
  printResult(json, result, fault === null ? sentences : [fault]);
  if (verdict !== 'genuine') throw new Problem('proof-invalid', { detail: remedies[verdict] });
}

const remedies: Record<Exclude<ExportVerdict, 'genuine'>, string> = {
  altered: 'Do not trust this export: it was changed.',
  'unknown-key':
    'Do not trust this export yet: give the key that signed it with another --key. After a rotation of secrets, that is a former key of the installation.',
  'not-ours':
    'Do not trust this export yet: give a key of the log that it names with --key, received from someone you trust.',
  'no-export':
    'Give a whole file that "assentry audit export" wrote as lines of JSON: this is none, or its beginning was changed.',
};

const unnamed = (request: string): string =>
  `None of them names ${request}: check the id, and whether the export would have its entries.`;

/** Times as people read them. */
const formatFact = (fact: string): string => {
  const [, name, time] = /^(from|to)=(\d+)$/.exec(fact) ?? [];
  return name === undefined ? fact : `${name}=${new Date(Number(time)).toISOString()}`;
};

interface ExportedEntry {
  index: number;
  entry: StoredEvent;
}

const formatEntry = ({ index, entry: { at, type, id } }: ExportedEntry): string =>
  `  place ${index}  ${at}  ${type}  ${id}`;

async function* readChunks(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Buffer;
  } catch (cause) {
    throw new Problem('INVALID_INPUT', { errors: [{ path: [file], message: 'This file cannot be read.' }], cause });
  }
}

interface FilterOptions {
  from?: string;
  to?: string;
  person?: string;
  request?: string;
  server?: string;
  tool?: string;
  policy?: string;
  outcome?: Status;
  digest?: string;
}

/** Adds the options that say which entries of the log. */
const addFilterOptions = (command: Command): Command =>
  command
    .option('--from <time>', 'from this time, such as 2026-07-01 or 2026-07-01T12:00:00Z; without a zone it is UTC')
    .option('--to <time>', 'until before this time')
    .option('--person <email>', 'what this person did')
    .option('--request <id>', 'about this request')
    .option('--server <name>', 'about requests of this server')
    .option('--tool <name>', 'about requests for this tool; calls that passed unasked have no request')
    .option('--policy <name>', 'about requests under this policy')
    .addOption(new Option('--outcome <outcome>', 'about requests that ended like this').choices(statuses))
    .option('--digest <digest>', 'about the request that ever had this digest');

/** The filter that these options name; INVALID_INPUT names the wrong one. */
export function readFilter({ from, to, request, digest, ...names }: FilterOptions): OperatorFilter {
  const isRequest = request === undefined || isId('elicitation', request);
  assertOption('--request', isRequest, 'Give the id of a request; it begins with eli_.');
  assertOption('--digest', digest === undefined || /^[0-9a-f]{64}$/.test(digest), 'Give 64 digits from 0 to f.');
  const [begin, end] = [readTime('--from', from), readTime('--to', to)];
  const isPeriod = begin === undefined || end === undefined || begin < end;
  assertOption('--to', isPeriod, 'Give an end that is after the beginning.');
  return {
    ...names,
    from: begin,
    to: end,
    request: request as ElicitationId | undefined,
    digest,
  };
}

const timePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

function readTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hasZone = !text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const isDay = new Date(Date.parse(text.slice(0, 10)) || 0).toISOString().startsWith(text.slice(0, 10));
  const time = isDay && timePattern.test(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  assertOption(option, !Number.isNaN(time), 'Give a time such as 2026-07-01 or 2026-07-01T12:00:00Z.');
  return time;
}
