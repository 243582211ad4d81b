import type { ElicitationCapabilities } from '#sdk/mcp/question/call/capabilities';
import { isModern, isObject, metaKey, metaOf, paramsOf, type Frame } from '../../frames/frame/frame.ts';

/** The client program, as it names itself. */
export interface ClientInfo {
  name: string;
  version?: string;
}

/** What is known of the client at one moment. */
export interface McpClient {
  info: ClientInfo | undefined;
  capabilities: ElicitationCapabilities | undefined;
  /** Since 2026-07-28: each request names its client and says what it can, no one is asked during a call, and results have a type. */
  isModern: boolean;
}

/** A client that has not connected. */
export const unknownClient: McpClient = { info: undefined, capabilities: undefined, isModern: false };

/** What `initialize` says of the client. */
export function connectingClient(frame: Frame): McpClient {
  const { clientInfo, capabilities } = paramsOf(frame);
  return { info: readInfo(clientInfo), capabilities: isObject(capabilities) ? capabilities : {}, isModern: false };
}

/** The client of this request: as it names itself there, or as it did when it connected. */
export function clientOf(frame: Frame, connected: McpClient): McpClient {
  if (!isModern(frame)) return connected;
  const meta = metaOf(frame);
  const capabilities = readCapabilities(meta[metaKey('clientCapabilities')]);
  return { info: readInfo(meta[metaKey('clientInfo')]), capabilities, isModern: true };
}

const readCapabilities = (declared: unknown): ElicitationCapabilities | undefined => {
  const elicitation = isObject(declared) ? declared['elicitation'] : undefined;
  return isObject(elicitation) ? { elicitation } : undefined;
};

/** What of a request's `_meta` a request of ours needs, so that the upstream takes it as this client's. */
export const envelopeOf = (frame: Frame): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metaOf(frame)).filter(([name]) => name.startsWith(metaKey(''))));

function readInfo(info: unknown): ClientInfo | undefined {
  if (!isObject(info)) return undefined;
  const { name, version } = info;
  if (typeof name !== 'string' || name === '') return undefined;
  return { name: storable(name, 128), ...(typeof version === 'string' && { version: storable(version, 64) }) };
}

const storable = (text: string, most: number): string => text.replaceAll('\0', '').slice(0, most);
