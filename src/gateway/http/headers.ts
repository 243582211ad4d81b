import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asking } from './conversations.ts';

const [start, end] = ['=?base64?', '?='];

/** Encodes a text for a header of MCP: a text that a header cannot hold is wrapped. */
export function headerText(text: string): string {
  const isWrapped = text.startsWith(start) && text.endsWith(end);
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !isWrapped;
  return isPlain ? text : start + Buffer.from(text).toString('base64') + end;
}

/** Text of such a header; null if it cannot be read: unwrapped, it may hold only ASCII. */
export function textOfHeader(header: string): string | null {
  if (!header.startsWith(start) || !header.endsWith(end)) return /^[\t -~]*$/.test(header) ? header : null;
  if (header.length < start.length + end.length) return null;
  const wrapped = header.slice(start.length, -end.length);
  const bytes = Buffer.from(wrapped, 'base64');
  return bytes.toString('base64') === wrapped && isUtf8(bytes) ? bytes.toString() : null;
}

/** One request of an admitted client. Its headers name the session as the upstream does. */
export interface AdmittedRequest extends Asking {
  request: IncomingMessage;
  response: ServerResponse;
}
