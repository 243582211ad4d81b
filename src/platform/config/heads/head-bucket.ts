import { sendRequest } from '../../http/client/outgoing-request.ts';
import { createHash, type BinaryToTextEncoding } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { Problem } from '../../model/problem/problem.ts';
import { refuseVariable } from '../config.ts';
import { assertSameHead, headFileName } from './head-copies.ts';
import type { LogBucket } from './log-bucket.ts';

const day = 86_400_000;
/** A head with its signatures, or an error, needs less. */
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
 * Copies of heads of the log in an S3-compatible bucket, each an object of its own under a lock that no account can
 * lift before its time. Nothing is overwritten, and the copy counts only when the bucket shows it and its lock.
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

/** It was written now, or before, by this node or another. */
const isThere = [200, 409, 412];

/** Signed with the body's hash. The API takes a locked object only with a checksum. */
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

/** A bucket may round the time; a copy that was there is locked for as long as it was to be then. */
function assertLocked(headers: Headers, least: number): void {
  if (headers.get('x-amz-object-lock-mode') !== 'COMPLIANCE') throw refuse('a bucket that locks no object');
  const until = headers.get('x-amz-object-lock-retain-until-date') ?? 'no time';
  if (!(Date.parse(until) > least)) throw refuse(`a bucket that locks a copy until ${until.slice(0, 40)}`);
}

/** The code of S3 says what is missing; its message may name the key. */
const formatAnswer = ({ status, text }: Answer): string =>
  `${status} ${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''}`.trim();

const refuse = (finding: string): Problem =>
  refuseVariable(
    'ASSENTRY_LOG_BUCKET',
    finding,
    'give one with object lock, and a key that may put and get objects and their retention',
  );
