import { createHash, createPublicKey, verify } from 'node:crypto';

/*
 * A second verifier of exports. It imports nothing of Assentry: it is written from RFC 6962 (section 2.1), RFC 8785,
 * C2SP signed-note and docs/audit/exports.md, as simply as they can be read, and keeps the whole file in memory.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Line = Record<string, Json>;

/** The entries of a genuine export in their order; throws at anything else. */
export function readNaively(file: string, key: string): Record<string, Json>[] {
  const lines = file.split('\n');
  if (lines.pop() !== '') throw new Error('no end of line at the end');
  const [head, ...rest] = lines.map((line) => JSON.parse(line) as Line);
  const seal = rest.pop();
  if (!head || !seal || head['format'] !== 'assentry.export/v1') throw new Error('no export');
  const [origin, size, root] = readNote(String(head['checkpoint']), key);
  if (origin !== head['origin'] || origin !== key.split('+')[0]) throw new Error('another log');
  const digest = sha256(
    Buffer.from(
      lines
        .slice(0, -1)
        .map((line) => `${line}\n`)
        .join(''),
    ),
  );
  const sealed = readNote(String(seal['seal']), key);
  const expected = ['assentry.export/v1', origin, String(rest.length), digest.toString('base64')];
  if (sealed.join() !== expected.join() || seal['entries'] !== rest.length) throw new Error('another seal');
  if ((head['filter'] as string[]).length === 0 && String(rest.length) !== size) throw new Error('some were left out');
  return rest.map(({ index, entry, proof }) => {
    const leaf = sha256(Buffer.concat([Buffer.of(0), Buffer.from(sorted(entry!))]));
    const path = (proof as string[]).map((hash) => Buffer.from(hash, 'base64'));
    if (rootOf(Number(index), Number(size), leaf, path).toString('base64') !== root)
      throw new Error(`no ${String(index)}`);
    return entry as Record<string, Json>;
  });
}

/** The audit path of RFC 6962, section 2.1.1, backwards. */
function rootOf(m: number, n: number, leaf: Buffer, path: Buffer[]): Buffer {
  if (n === 1 && path.length === 0) return leaf;
  const last = path.at(-1);
  if (!last || m >= n) throw new Error('no such path');
  const k = 2 ** Math.ceil(Math.log2(n) - 1);
  const [left, right] =
    m < k ? [rootOf(m, k, leaf, path.slice(0, -1)), last] : [last, rootOf(m - k, n - k, leaf, path.slice(0, -1))];
  return sha256(Buffer.concat([Buffer.of(1), left, right]));
}

/** The lines of a note that this key signed. */
function readNote(note: string, key: string): string[] {
  const [name, , encoded] = key.split(/\+(?=[0-9a-f]{8}\+)|(?<=\+[0-9a-f]{8})\+/);
  const x = Buffer.from(encoded!, 'base64').subarray(1).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const [text, signatures] = note.split('\n\n');
  const isSigned = signatures!.split('\n').some((line) => {
    const bytes = Buffer.from(line.replace(`— ${name} `, ''), 'base64');
    return verify(null, Buffer.from(`${text}\n`), publicKey, bytes.subarray(4));
  });
  if (!isSigned) throw new Error('not signed');
  return text!.split('\n');
}

/** RFC 8785, for what entries hold. */
function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${sorted(value[name]!)}`).join()}}`;
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
