import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import type { LogBucket } from '#platform/config/heads';

/** What a bucket keeps of an object. */
export interface StoredObject {
  text: string;
  mode: string | undefined;
  until: string | undefined;
}

export interface BucketServer {
  settings: LogBucket;
  objects: Map<string, StoredObject>;
  /**
   * By default it locks; `refuses` answers like a bucket made without locks, `ignores` like a server that knows none, and
   * `shortens` like one that has a longest time of its own.
   */
  locks: 'keeps' | 'refuses' | 'ignores' | 'shortens';
  stop(): void;
}

const region = 'eu-test-1';
const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a/secret+of/the/bucket' };

/** PUT and GET of S3's API with object lock; the signatures are verified by the code of AWS itself. */
export async function startBucket(): Promise<BucketServer> {
  const server = createServer((request, response) => {
    void answer(bucket, request).then(({ status, code, stored }) => {
      if (stored?.mode) response.setHeader('x-amz-object-lock-mode', stored.mode);
      if (stored?.until) response.setHeader('x-amz-object-lock-retain-until-date', stored.until);
      response.writeHead(status).end(stored?.text ?? (code && `<Error><Code>${code}</Code></Error>`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/heads`;
  const bucket: BucketServer = {
    settings: { url, region, ...credentials, days: 30 },
    objects: new Map(),
    locks: 'keeps',
    stop: () => void server.close(),
  };
  return bucket;
}

interface Answer {
  status: number;
  code?: string;
  stored?: StoredObject;
}

async function answer({ objects, locks }: BucketServer, request: IncomingMessage): Promise<Answer> {
  const [{ headers, method, url: name = '' }, body] = [request, await buffer(request)];
  const hash = (algorithm: string) => createHash(algorithm).update(body);
  if (!(await isGenuine(request))) return { status: 403, code: 'SignatureDoesNotMatch' };
  const stored = objects.get(name);
  if (method === 'GET') return stored ? { status: 200, stored } : { status: 404, code: 'NoSuchKey' };
  if (headers['x-amz-content-sha256'] !== hash('sha256').digest('hex'))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  if (headers['content-md5'] !== hash('md5').digest('base64')) return { status: 400, code: 'InvalidRequest' };
  if (locks === 'refuses') return { status: 400, code: 'InvalidRequest' };
  if (headers['if-none-match'] === '*' && stored) return { status: 412, code: 'PreconditionFailed' };
  const locked = locks === 'ignores' ? () => undefined : (name: string) => headers[name]?.toString();
  const until = locked('x-amz-object-lock-retain-until-date');
  objects.set(name, {
    text: body.toString(),
    mode: locked('x-amz-object-lock-mode'),
    until: locks === 'shortens' ? until?.replace(/^\d{4}-\d\d/, '2026-08') : until,
  });
  return { status: 200 };
}

/** Signs the same request again and compares. */
async function isGenuine({ method = '', url = '', headers }: IncomingMessage): Promise<boolean> {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const [date = ''] = [headers['x-amz-date']].flat();
  const signer = new SignatureV4({ credentials, region, service: 's3', sha256: Sha256, uriEscapePath: false });
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: headers.host ?? '',
      path: url,
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    },
    { signingDate: new Date(date.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:')) },
  );
  return signed.headers['authorization'] === headers.authorization;
}
