import { isObject } from '../../frames/frame/frame.ts';
import { sessionRevisions } from '../../frames/mcp-words/mcp-words.ts';
import type { AnsweredRequest } from './merged-upstream.ts';

/** Letters of a session's id: the client sends those of all servers in one header. */
const maxSessionLength = 1_000;

/** Why a client of all servers could not connect with what this one answered to `initialize`; null if it can. */
export function faultOfInitialize({ session, result }: AnsweredRequest): string | null {
  if (!sessionRevisions.includes(String(result['protocolVersion'])))
    return 'it speaks no revision of MCP with sessions.';
  if ((session ?? '').length > maxSessionLength)
    return `the id of its session has more than ${maxSessionLength} letters.`;
  return null;
}

const flags = ['listChanged', 'subscribe'];
const ofOthers = ['experimental', 'extensions'];

/** What a server says that it can, as far as clients can read it. */
export function capabilitiesIn({ capabilities }: Record<string, unknown>): Record<string, unknown> {
  const all = Object.entries(isObject(capabilities) ? capabilities : {});
  return Object.fromEntries(all.flatMap(([name, value]) => (isObject(value) ? [[name, readable(name, value)]] : [])));
}

const readable = (capability: string, value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).filter(([name, part]) =>
      flags.includes(name) && !ofOthers.includes(capability) ? typeof part === 'boolean' : isObject(part),
    ),
  );
