import { sendRequest } from '../http/client/outgoing-request.ts';
import { createHash, type BinaryToTextEncoding, randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { Problem } from '../model/problem.ts';
import { refuseVariable } from './config.ts';
import { readFile, rename, rm, writeFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isPrivateAddress } from '../model/names.ts';
import type { Environment } from './env.ts';

const day = 86_400_000;
/** Limit for a head with its signatures, or an error. */
const maxAnswerBytes = 64 * 1024;

type Send = (
  url: string,
  request: { method: string; headers?: Record<string, string>; body?: string },
) => Promise<Answer>;

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Copies heads of the log to an S3-compatible bucket, each as its own object under a lock that no one can lift before its time.
 * Nothing is overwritten, and the copy counts only when the bucket shows it and its lock.
 */
export function copyHeadsToBucket(bucket: LogBucket, now: () => number): (size: number, note: string) => Promise<void> {
  const send = createSend(bucket);
  return async (size, note) => {
    const url = `${bucket.url}/${headFileName(size)}`;
    const until = now() + bucket.days * day;
    const written = await send(url, { method: 'PUT', headers: lockHeaders(note, until), body: note });
    if (!isThere.includes(written.status)) throw refuse(`a bucket that does not take a copy: ${formatAnswer(written)}`);
    const copy = await send(url, { method: 'GET' });
    if (copy.status !== 200) throw refuse(`a bucket that does not show a copy: ${formatAnswer(copy)}`);
    assertSameHead(url, copy.text, note);
    assertLocked(copy.headers, written.status === 200 ? until - day : now());
  };
}

/** Status of a written copy, now or earlier, by this node or another. */
const isThere = [200, 409, 412];

/** Headers of a lock, signed with the body's hash. The API takes a locked object only with a checksum. */
const lockHeaders = (note: string, until: number): Record<string, string> => ({
  'content-type': 'text/plain; charset=utf-8',
  'content-md5': hash('md5', note, 'base64'),
  'if-none-match': '*',
  'x-amz-content-sha256': hash('sha256', note, 'hex'),
  'x-amz-object-lock-mode': 'COMPLIANCE',
  'x-amz-object-lock-retain-until-date': new Date(until).toISOString(),
});

const hash = (algorithm: string, text: string, encoding: BinaryToTextEncoding): string =>
  createHash(algorithm).update(text).digest(encoding);

function createSend({ accessKeyId, secretAccessKey, region }: LogBucket): Send {
  const place = region === null ? {} : { region };
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', ...place });
  return async (url, request) => {
    const signed = await client.sign(url, request);
    const response = await sendRequest(signed, {}, { maxBytes: maxAnswerBytes });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

/** Checks the lock. A bucket may round the time; an existing copy keeps its own, earlier lock. */
function assertLocked(headers: Headers, least: number): void {
  if (headers.get('x-amz-object-lock-mode') !== 'COMPLIANCE') throw refuse('a bucket that locks no object');
  const until = headers.get('x-amz-object-lock-retain-until-date') ?? 'no time';
  if (!(Date.parse(until) > least)) throw refuse(`a bucket that locks a copy until ${until.slice(0, 40)}`);
}

/** Status with the code of S3, which names the fault; its message may name the key. */
const formatAnswer = ({ status, text }: Answer): string =>
  `${status} ${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''}`.trim();

const refuse = (finding: string): Problem =>
  refuseVariable(
    'ASSENTRY_LOG_BUCKET',
    finding,
    'give one with object lock, and a key that may put and get objects and their retention',
  );

/** A file outside the database that holds the latest signed head of the log. */
export interface HeadFile {
  path: string;
  /** The kept head; null before the first. */
  read(): Promise<string | null>;
  /** Replaces the head atomically, even if the process ends meanwhile. */
  write(note: string): Promise<void>;
  /** Renames the file, so that no head is kept; returns its new path. */
  putAside(): Promise<string>;
}

export const openHeadFile = (path: string): HeadFile => ({
  path,
  read: () =>
    readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw refuseFile(path, error);
    }),
  async write(note) {
    const aside = `${path}.${randomUUID()}`;
    try {
      await writeFile(aside, note, { flush: true });
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true }).catch(() => {});
      throw refuseFile(path, error as NodeJS.ErrnoException);
    }
  },
  async putAside() {
    const aside = `${path}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(path, aside);
    return aside;
  },
});

const refuseFile = (path: string, { code }: NodeJS.ErrnoException) =>
  refuseVariable(
    'ASSENTRY_LOG_HEAD',
    `${path}, which cannot be read and written (${code})`,
    'give a file of this user',
  );

/**
 * Copies of heads of the log in a directory, each a file of its own that is never written again. Problem `proof-invalid`
 * if the file of this size is of another head.
 */
export const copyHeads =
  (directory: string): ((size: number, note: string) => Promise<void>) =>
  async (size, note) => {
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, headFileName(size));
    try {
      await writeFile(file, note, { flag: 'wx', flush: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      assertSameHead(file, await readFile(file, 'utf8'), note);
    }
  };

/** The largest readable head among the copies in this directory, and its place; null if there is none. */
export async function latestCopy<Head>(
  directory: string,
  read: (text: string) => Head | null,
): Promise<{ path: string; head: Head } | null> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []; // no node has made it yet
    throw error;
  });
  for (const name of names
    .filter((name) => /^checkpoint-\d{12,}$/.test(name))
    .toSorted()
    .toReversed()) {
    const file = path.join(directory, name);
    const head = read(await readFile(file, 'utf8'));
    if (head) return { path: file, head };
  }
  return null;
}

/** Name of a copy; names sort by size. */
const headFileName = (size: number): string => `checkpoint-${String(size).padStart(12, '0')}`;

/** Problem `proof-invalid` unless the copy at this place is of this head; the signatures under it may differ. */
function assertSameHead(place: string, copy: string, note: string): void {
  if (headIn(copy) === headIn(note)) return;
  throw new Problem('proof-invalid', { detail: note.startsWith(copy) ? unfinished(place) : anotherHead(place) });
}

/** Head without signatures: a copy written before a witness cosigned has fewer of them. */
const headIn = (note: string): string | undefined => note.split('\n\n')[0];

const unfinished = (place: string): string =>
  `Remove ${place} if this comes again: it is a copy of a head of the log that was not written to its end.`;

const anotherHead = (place: string): string =>
  `Find out who put the database back: ${place} holds another head of the log of the same size. After a declared restore, give another folder.`;

/** Bucket for copies of heads of the log, and credentials to write them. */
export interface LogBucket {
  /** The address of the bucket, or of a folder in it, without a slash at the end. */
  url: string;
  /** Null if the address names it, or the bucket has no regions. */
  region: string | null;
  accessKeyId: string;
  secretAccessKey: string;
  /** Days for which no one may change or delete a copy. */
  days: number;
}

/** The bucket for copies of heads, or null if there is none; problem `config-invalid` never repeats a key. */
export function readLogBucket(environment: Environment): LogBucket | null {
  const { ASSENTRY_LOG_BUCKET: text, ASSENTRY_LOG_BUCKET_KEY: key } = environment;
  if (text === undefined && key === undefined) return null;
  return { url: readUrl(text), region: readRegion(environment), ...readKey(key), days: readDays(environment) };
}

function readUrl(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.href === `${url?.origin}${url?.pathname}` && /^[\w./-]*$/.test(url.pathname);
  if (url && isPrivateAddress(url.href) && isPlain) return url.href.replace(/\/+$/, '');
  const shown = text?.includes('@') ? 'something with an @, which may hold a key' : JSON.stringify(text);
  const allowed = 'give the https address of the bucket, such as https://s3.eu-central-1.amazonaws.com/bucket/assentry';
  throw refuseVariable('ASSENTRY_LOG_BUCKET', shown ?? 'nothing', allowed);
}

function readKey(text: string | undefined): Pick<LogBucket, 'accessKeyId' | 'secretAccessKey'> {
  const [, accessKeyId, secretAccessKey] = /^([\w-]{3,128}):(\S{8,128})$/.exec(text ?? '') ?? [];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  const finding = text === undefined ? 'nothing' : 'something of another form (not shown, for it holds a secret)';
  throw refuseVariable('ASSENTRY_LOG_BUCKET_KEY', finding, 'give the access key id, a colon and the secret access key');
}

function readRegion({ ASSENTRY_LOG_BUCKET_REGION: text }: Environment): string | null {
  if (text === undefined || /^[a-z\d-]{1,64}$/.test(text)) return text ?? null;
  throw refuseVariable('ASSENTRY_LOG_BUCKET_REGION', JSON.stringify(text), 'give a name such as eu-central-1');
}

function readDays({ ASSENTRY_LOG_BUCKET_DAYS: text = '365' }: Environment): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw refuseVariable('ASSENTRY_LOG_BUCKET_DAYS', JSON.stringify(text), 'give a number of days from 1 to 99999');
}
