import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkDocuments, type DocumentFault } from './verbs/read.ts';
import type { PolicyClause } from './deciding/contract/clause.ts';
import { invalidInput } from '#platform/model/problem';

export { policyJsonSchema } from './verbs/check.ts';

/** Policies of one file: YAML or JSON, any number of them separated by `---`. */
export interface PolicyFile {
  file: string;
  faults: DocumentFault[];
  /** The text of each, as its author wrote it; empty if anything is wrong. */
  documents: string[];
  policies: { name: string; terms: PolicyClause[] }[];
  /** Warnings that are no faults, each with its line. */
  warnings: string[];
}

/** Reads files and, in directories, those with the extension of a policy; INVALID_INPUT if there are none. */
export async function readPolicyFiles(places: string[]): Promise<PolicyFile[]> {
  const files = (await Promise.all(places.map(filesAt))).flat();
  const read = files.map(async (file) => ({ file, ...refuseNone(checkDocuments(await readFile(file, 'utf8'))) }));
  return assertOnce(await Promise.all(read));
}

/** If two files have the same policy, only one could be published. */
function assertOnce(files: PolicyFile[]): PolicyFile[] {
  const first = new Map<string, string>();
  return files.map((read) => {
    const twice = read.policies.filter(({ name }) => first.has(name));
    for (const { name } of read.policies) if (!first.has(name)) first.set(name, read.file);
    const faults = twice.map(({ name }) => ({
      path: ['policy'],
      message: `Keep one: ${first.get(name)} has a policy ${name}, too.`,
      line: 1,
      column: 1,
    }));
    return faults.length === 0 ? read : { ...read, faults: [...read.faults, ...faults], documents: [], policies: [] };
  });
}

/** A file without a policy is a mistake: it would pass without any check. */
const refuseNone = (read: Omit<PolicyFile, 'file'>): Omit<PolicyFile, 'file'> =>
  read.faults.length > 0 || read.documents.length > 0
    ? read
    : { ...read, faults: [{ path: [], message: 'Write a policy: this text has none.', line: 1, column: 1 }] };

async function filesAt(place: string): Promise<string[]> {
  const stats = await stat(place).catch(() => null);
  if (!stats) throw invalidInput([place], 'Check the path: there is no such file or directory.');
  if (!stats.isDirectory()) return [place];
  const names = (await readdir(place)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  if (names.length === 0)
    throw invalidInput([place], 'Check the path: this directory has no .yaml, .yml or .json file.');
  return names.map((name) => path.join(place, name));
}
