import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Option, type Command } from 'commander';
import { exportFormats } from '../rules/file/export-file.ts';
import { checkExport, linesOf, type ExportVerdict } from '../rules/check.ts';
import type { StoredEvent } from '../../entries/rules/entry/entry.ts';
import { parseVerifierKey } from '../../tree/rules/notes/signed-note.ts';
import { isId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import { asJson, examples, printResult, assertOption } from '#cli/output/output';
import { withOperator } from '#cli/settings';
import { reportProgress } from '../../reports/command.ts';
import { addFilterOptions, readFilter, type FilterOptions } from './filter-options.ts';

/** Files of entries, of which the first proves them, or the directory that tools for tiled logs read. */
const formats = [...exportFormats, 'tiles'] as const;
type Format = (typeof formats)[number];

type ExportOptions = FilterOptions & { format: Format; json?: boolean };

/** Adds `export` and `verify-export` to the command `audit`. */
export function addExportCommands(audit: Command): void {
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
    .action(verify);
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

interface VerifyOptions {
  key: string[];
  request?: string;
  json?: boolean;
}

async function verify(file: string, { key, request, json }: VerifyOptions): Promise<void> {
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
