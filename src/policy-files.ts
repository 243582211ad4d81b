import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkDocuments, type DocumentFault } from './engine/read-policy.ts';
import { Problem } from './model/problem.ts';

export type { DocumentFault } from './engine/read-policy.ts';

/** Policies of one file: YAML or JSON, any number of them separated by `---`. */
export interface PolicyFile {
  file: string;
  faults: DocumentFault[];
  /** The text of each, as its author wrote it; empty where anything is wrong. */
  documents: string[];
  policies: { name: string; sentences: string[] }[];
}

/** Reads files, and of directories those that end like policies do; INVALID_INPUT where there is none. */
export async function readPolicyFiles(places: string[]): Promise<PolicyFile[]> {
  const files = (await Promise.all(places.map(filesAt))).flat();
  return Promise.all(files.map(async (file) => ({ file, ...checkDocuments(await readFile(file, 'utf8')) })));
}

async function filesAt(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => null);
  if (!found) throw wrongPlace(place, 'There is no such file or directory.');
  if (!found.isDirectory()) return [place];
  const names = (await readdir(place)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  if (names.length === 0) throw wrongPlace(place, 'There is no .yaml, .yml or .json file in this directory.');
  return names.map((name) => path.join(place, name));
}

const wrongPlace = (place: string, message: string): Problem =>
  new Problem('INVALID_INPUT', { errors: [{ path: [place], message }] });
