import { createHmac, timingSafeEqual } from 'node:crypto';
import { valueAt } from '../../providers/pointer.ts';
import type { FieldScheme, HeaderScheme } from '../../providers/signed-events.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Why a signature does not hold. */
export type SignatureFault = 'unsigned' | 'wrong-signature' | 'too-old';

/** A signature that holds, with the event's id if the MAC covers one in a header. */
export type Checked = { id: string | null } | { fault: SignatureFault };

/** Longest id in a header. */
const longestId = 256;

/**
 * Verifies the MAC over the raw bytes, then the time it covers. Headers that are sent twice, or that hold more than the scheme
 * says, are refused: of two readers, each might see another one.
 */
export function checkHeaders(
  scheme: HeaderScheme,
  secrets: readonly string[],
  body: Uint8Array,
  headers: Headers,
  now: number,
): Checked {
  const values = headersOf(scheme, headers);
  if ('fault' in values) return values;
  const signature = readSignature(scheme, values);
  if (!signature) return { fault: 'wrong-signature' };
  const { time, macs } = signature;
  const shown = macs.map((mac) => withoutPrefix(scheme.prefix, mac));
  const holds = secrets.some((secret) => {
    const mac = macOf(scheme, secret, body, { time, id: values.id });
    return shown.filter((text) => text !== null && isSame(text, mac)).length > 0;
  });
  if (!holds) return { fault: 'wrong-signature' };
  if (scheme.over.includes('{time}')) {
    if (!/^\d{1,12}$/.test(time)) return { fault: 'wrong-signature' };
    if (Math.abs(Number(time) * 1000 - now) > scheme.within * 1000) return { fault: 'too-old' };
  }
  return { id: scheme.idHeader === undefined ? null : values.id };
}

/** The MAC of a body, with what it covers of the headers. */
function macOf(
  { over, keyText, text }: HeaderScheme,
  secret: string,
  body: Uint8Array,
  { time, id }: { time: string; id: string },
): string {
  const start = { '{body}': '', '{time}.{body}': `${time}.`, '{id}.{time}.{body}': `${id}.${time}.` }[over];
  return createHmac('sha256', keyOf(keyText, secret)).update(start).update(body).digest(text);
}

/** The headers by which a provider proves that a body is its own. */
export function signHeaders(
  scheme: HeaderScheme,
  secret: string,
  body: Uint8Array,
  { id, now }: { id: string; now: number },
): Record<string, string> {
  const { header, parts, prefix = '', timeHeader, idHeader } = scheme;
  const time = String(Math.floor(now / 1000));
  const mac = prefix + macOf(scheme, secret, body, { time, id });
  return {
    [header]: parts ? `${parts.time}=${time},${parts.mac}=${mac}` : mac,
    ...(timeHeader !== undefined && { [timeHeader]: time }),
    ...(idHeader !== undefined && { [idHeader]: id }),
  };
}

/** Verifies the MAC in a document over some of its values. One with a colon is refused: it could pass for two. */
export function checkField(scheme: FieldScheme, secrets: readonly string[], document: unknown): Checked {
  const shown = valueAt(document, scheme.field);
  if (shown === undefined) return { fault: 'unsigned' };
  const values = scheme.over.map((pointer) => textOf(valueAt(document, pointer)));
  if (typeof shown !== 'string' || values.some((text) => text === null || text.includes(':')))
    return { fault: 'wrong-signature' };
  const holds = secrets.some((secret) => isSame(shown, fieldMacOf(scheme, secret, values)));
  return holds ? { id: null } : { fault: 'wrong-signature' };
}

const fieldMacOf = ({ keyText, text }: FieldScheme, secret: string, values: readonly (string | null)[]): string =>
  createHmac('sha256', keyOf(keyText, secret)).update(values.join(':')).digest(text);

/** The MAC for a document, over some of its values. */
export const signField = (scheme: FieldScheme, secret: string, document: unknown): string =>
  fieldMacOf(
    scheme,
    secret,
    scheme.over.map((pointer) => textOf(valueAt(document, pointer))),
  );

/** What is wrong with a secret of this scheme, as the operator is told; null if it can be a key. */
export function faultOfSecret({ keyText }: HeaderScheme | FieldScheme, secret: string): string | null {
  const isText = { plain: true, hex: /^(?:[0-9a-f]{2})+$/i.test(secret), base64: isBase64(bare(secret)) }[keyText];
  if (!isText) return `which is not written in ${keyText}`;
  const { length } = keyOf(keyText, secret);
  return length < leastBytes ? `which has ${length} bytes and not at least ${leastBytes}` : null;
}

/** Least length of a key. */
const leastBytes = 16;

interface HeaderValues {
  signature: string;
  time: string;
  id: string;
}

function headersOf(
  { header, timeHeader, idHeader }: HeaderScheme,
  headers: Headers,
): HeaderValues | { fault: SignatureFault } {
  const [signature, time, id] = [header, timeHeader, idHeader].map((name) =>
    name === undefined ? [''] : valuesOf(headers, name),
  );
  if (!signature?.length || !time?.length || !id?.length) return { fault: 'unsigned' };
  if (signature.length > 1 || time.length > 1 || id.length > 1) return { fault: 'wrong-signature' };
  const [text = '', moment = '', name = ''] = [signature[0], time[0], id[0]];
  if (text === '' || (timeHeader !== undefined && moment === '')) return { fault: 'unsigned' };
  if (idHeader !== undefined && !isId(name)) return { fault: name === '' ? 'unsigned' : 'wrong-signature' };
  return { signature: text, time: moment, id: name };
}

/** All values of a header, however its name is written. */
const valuesOf = (headers: Headers, name: string): string[] =>
  Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));

/** Without a dot, which separates it from the time. */
const isId = (text: string): boolean => text.length <= longestId && /^[!-~]+$/.test(text) && !text.includes('.');

/** The time and the MACs. A comma and a space join headers that were sent twice. */
function readSignature({ parts, separator }: HeaderScheme, { signature, time }: HeaderValues) {
  if (signature.includes(', ')) return null;
  if (parts) return readParts(parts, signature);
  return { time, macs: separator === undefined ? [signature] : signature.split(separator) };
}

/** Reads `t=1492774577,v1=…,v0=…`: one time, and one MAC or several. */
function readParts(names: { time: string; mac: string }, header: string): { time: string; macs: string[] } | null {
  const parts = header.split(',').map((part) => /^([a-z0-9]{1,16})=([^\s=]+={0,2})$/.exec(part)?.slice(1));
  if (parts.some((part) => part === undefined)) return null;
  const valuesNamed = (name: string) => parts.flatMap((part) => (part?.[0] === name ? [part[1] ?? ''] : []));
  const [time, ...others] = valuesNamed(names.time);
  return time === undefined || others.length > 0 ? null : { time, macs: valuesNamed(names.mac) };
}

const withoutPrefix = (prefix: string | undefined, text: string): string | null =>
  prefix === undefined ? text : text.startsWith(prefix) ? text.slice(prefix.length) : null;

/** Compares in constant time. As text: another spelling of the same bytes is refused. */
function isSame(shown: string, mac: string): boolean {
  const [left, right] = [Buffer.from(shown), Buffer.from(mac)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function keyOf(keyText: HeaderScheme['keyText'], secret: string): Buffer {
  if (keyText === 'plain') return Buffer.from(secret);
  return Buffer.from(keyText === 'base64' ? bare(secret) : secret, keyText);
}

const bare = (secret: string): string => secret.replace(/^whsec_/, '');

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : (value ?? '') === '' ? '' : null;
