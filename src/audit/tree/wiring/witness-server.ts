import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '#platform/model/problem';
import { sha256Hex } from '#platform/crypto/digest';
import {
  cosign,
  cosigner,
  cosignerKey,
  divideNote,
  writeSignature,
  type NoteVerifier,
  type SignatureLine,
} from '../rules/notes.ts';
import { judgeOffer, readOffer, keptHead, type KeptHead } from '../rules/checkpoint.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Bytes: a checkpoint with 32 signatures and 63 hashes needs less. */
const maxBodyBytes = 64 * 1024;
/** Milliseconds for a whole request. */
const timeoutMs = 10_000;
/** Milliseconds a connection is kept for the next request: longer than proxies keep theirs. */
const keepAliveTimeout = 75_000;

/** Serves the witness; only the log's own signatures decide, so no caller is asked who they are. */
export async function serveWitness(
  witness: Witness,
  { host, port, onError }: { host: string; port: number; onError: (error: unknown) => void },
): Promise<{ url: string; stop(): Promise<void> }> {
  const http = createServer({ requestTimeout: timeoutMs, keepAliveTimeout }, (request, response) => {
    void answer(witness, request)
      .catch((error: unknown): WitnessAnswer => {
        onError(error);
        return { status: 500, body: '' };
      })
      .then(({ status, type, body }) => response.writeHead(status, type ? { 'content-type': type } : {}).end(body));
  });
  await listen(http, host, port);
  const { address, family, port: own } = http.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      http.keepAliveTimeout = 1; // from here on a connection ends with the answer in progress
      http.close(() => resolve());
    });
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${own}`, stop };
}

async function answer(witness: Witness, request: IncomingMessage): Promise<WitnessAnswer> {
  const { pathname } = new URL(request.url ?? '/', 'http://witness');
  if (pathname === '/add-checkpoint') {
    if (request.method !== 'POST') return { status: 405, body: '' };
    const body = await readBody(request);
    return body === null ? { status: 413, body: '' } : witness.addCheckpoint(body);
  }
  const hash = /^\/([0-9a-f]{64})\/checkpoint$/.exec(pathname)?.[1];
  return hash !== undefined && request.method === 'GET' ? witness.checkpoint(hash) : { status: 404, body: '' };
}

/** Null if it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    parts.push(part as Buffer);
    length += (part as Buffer).length;
    if (length > maxBodyBytes) return null;
  }
  return Buffer.concat(parts).toString('utf8');
}

function listen(http: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) => {
      const detail = `Give the witness another --host or --port: it cannot listen on ${host}:${port} (${cause.code}).`;
      reject(new Problem('config-invalid', { detail, cause }));
    });
    http.listen(port, host, () => resolve());
  });
}

/** An answer over HTTP. */
interface WitnessAnswer {
  status: number;
  type?: string;
  body: string;
}

/** A witness of logs (C2SP tlog-witness): it cosigns what only ever grows. */
export interface Witness {
  /** Its verifier key. */
  key: string;
  /** `POST /add-checkpoint`. Offers are judged one after the other, and kept before they are answered. */
  addCheckpoint(body: string): Promise<WitnessAnswer>;
  /** `GET /<hash of the log's name>/checkpoint`: the latest one, cosigned. */
  checkpoint(originHash: string): WitnessAnswer;
}

/** `now` is in milliseconds. */
export function createWitness(
  name: string,
  logs: NoteVerifier[],
  files: WitnessFiles,
  now: () => number = Date.now,
): Witness {
  const signer = cosigner(name, files.seed);
  const judge = async (body: string): Promise<WitnessAnswer> => {
    const offer = readOffer(body);
    const verdict = judgeOffer(offer, logs, files.latest);
    if ('latest' in verdict) return { status: 409, type: 'text/x.tlog.size', body: `${verdict.latest}\n` };
    if ('status' in verdict) return { status: verdict.status, body: '' };
    const line = cosign(verdict.text, signer, now());
    const signatures = ownSignatures(offer?.note ?? '', logs);
    await files.keep({ ...verdict.taken, note: `${verdict.text}\n${signatures}${line}` });
    return { status: 200, type: 'text/plain; charset=utf-8', body: line };
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    key: cosignerKey(signer),
    addCheckpoint(body) {
      const answer = last.then(() => judge(body));
      last = answer.catch(() => {});
      return answer;
    },
    checkpoint(originHash) {
      const origin = logs.find((log) => sha256Hex(log.name) === originHash)?.name;
      const head = origin === undefined ? null : files.latest(origin);
      if (!head) return { status: 404, body: '' };
      return { status: 200, type: 'text/plain; charset=utf-8', body: head.note };
    },
  };
}

/** The signatures of the log itself; whatever else was in the note is left out. */
function ownSignatures(note: string, logs: NoteVerifier[]): string {
  const { lines } = divideNote(note) ?? { lines: [] };
  const isOwn = (line: SignatureLine): boolean => logs.some(({ name, id }) => name === line.name && id.equals(line.id));
  return lines.filter(isOwn).map(writeSignature).join('');
}

/** Files of a witness: its key, and the latest cosigned checkpoint of each log. */
interface WitnessFiles {
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
