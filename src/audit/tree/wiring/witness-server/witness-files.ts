import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { keptHead, type KeptHead } from '../../rules/checkpoint/checkpoint.ts';
import { Problem } from '#platform/model/problem/problem';

/** What a witness keeps in its directory: its key, and the latest cosigned checkpoint of each log. */
export interface WitnessFiles {
  seed: Buffer;
  /** The latest checkpoint of this log; null before the first. */
  latest(origin: string): KeptHead | null;
  /** When it resolves, the checkpoint outlives a crash of the machine. */
  keep(head: KeptHead): Promise<void>;
}

/** Opens the directory of a witness; the key is made at the first start. */
export async function openWitnessFiles(directory: string): Promise<WitnessFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const [keyFile, stateFile] = [path.join(directory, 'key'), path.join(directory, 'checkpoints.json')];
  const seed = readSeed((await readIfThere(keyFile)) ?? (await makeSeed(keyFile)), keyFile);
  const heads = readHeads((await readIfThere(stateFile)) ?? '[]', stateFile);
  return {
    seed,
    latest: (origin) => heads.get(origin) ?? null,
    async keep(head) {
      const notes = new Map([...heads, [head.origin, head]]);
      await replace(
        stateFile,
        `${JSON.stringify(
          [...notes.values()].map(({ note }) => note),
          null,
          2,
        )}\n`,
      );
      heads.set(head.origin, head);
    },
  };
}

function readSeed(text: string, file: string): Buffer {
  const seed = Buffer.from(text.trim(), 'base64');
  if (seed.length === 32) return seed;
  throw new Problem('config-invalid', { detail: `Put ${file} back as it was: it holds no key of a witness.` });
}

/** A witness that forgot what it saw would cosign another past, so a damaged file stops it. */
function readHeads(text: string, file: string): Map<string, KeptHead> {
  const notes = parse(text);
  const heads = notes?.map((note) => (typeof note === 'string' ? keptHead(note) : null));
  if (heads?.every((head) => head !== null)) return new Map(heads.map((head) => [head.origin, head]));
  throw new Problem('config-invalid', { detail: `Put ${file} back as it was: it holds no list of checkpoints.` });
}

function parse(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

async function makeSeed(file: string): Promise<string> {
  const text = randomBytes(32).toString('base64');
  await replace(file, text);
  return text;
}

/** Whenever the machine stops, the file has either its former content or this. */
async function replace(file: string, text: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await writeFile(aside, text, { mode: 0o600, flush: true });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  const directory = await open(path.dirname(file));
  await directory.sync().finally(() => directory.close());
}

const readIfThere = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
