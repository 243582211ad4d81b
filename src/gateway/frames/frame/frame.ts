import { Problem, type ProblemCode } from '#platform/model/problem/problem';

/** What names a request and its answer. */
export type FrameId = string | number;

/** One message of JSON-RPC, with all its members, known or not. */
export interface Frame {
  jsonrpc: '2.0';
  id?: unknown;
  method?: unknown;
  params?: unknown;
  [member: string]: unknown;
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** The codes of JSON-RPC. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isFrameId = (id: unknown): id is FrameId => typeof id === 'string' || Number.isSafeInteger(id);

/** The `params` of a frame, empty if it has none. */
export const paramsOf = ({ params }: Frame): Record<string, unknown> => (isObject(params) ? params : {});

/** The `_meta` of a frame's parameters. */
export function metaOf(frame: Frame): Record<string, unknown> {
  const { _meta: meta } = paramsOf(frame);
  return isObject(meta) ? meta : {};
}

/** A member of `_meta` that is MCP's own. */
export const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`;

/** Since 2026-07-28 each request says for itself which revision it follows. */
export const isModern = (frame: Frame): boolean => metaOf(frame)[metaKey('protocolVersion')] !== undefined;

/** Where the progress of a request goes; undefined if its client asked for none. */
export function progressTokenOf(frame: Frame): FrameId | undefined {
  const { progressToken: token } = metaOf(frame);
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

export const resultFrame = (id: FrameId, result: unknown): Frame => ({ jsonrpc: '2.0', id, result });

export const errorFrame = (id: FrameId | null, error: RpcError): Frame => ({ jsonrpc: '2.0', id, error });

/** An error with a code of Assentry, for people and for programs. */
export const rpcError = (code: number, problem: ProblemCode, message: string): RpcError => ({
  code,
  message,
  data: { code: problem },
});

/** The error of the request that could not be served. */
export function errorOf(error: unknown): RpcError {
  if (error instanceof RpcFault) return error.error;
  if (error instanceof Problem) return rpcError(rpcCodes.internal, error.code, error.message);
  return rpcError(rpcCodes.internal, 'internal', 'Check the state before you repeat this: the gateway failed.');
}

export const idInUse = rpcError(
  rpcCodes.invalidRequest,
  'INVALID_INPUT',
  'Use another id: a request with this one is open.',
);

export const sessionEnded = rpcError(rpcCodes.invalidRequest, 'not-found', 'Initialize again: this session has ended.');

/** As servers say it. */
export const unknownMethod: RpcError = { code: rpcCodes.methodNotFound, message: 'Method not found' };

/** Two readers could read the server's answer differently, or no reader could. */
export const notPassedOn = (fault: string): RpcError =>
  rpcError(rpcCodes.internal, 'unavailable', `The server's answer is not passed on: ${fault}`);

/** The same of a call that was forwarded: a client that repeats it runs it again. */
export const ranUnread = (fault: string): RpcError =>
  rpcError(rpcCodes.internal, 'unavailable', `The call ran. The server's answer is not passed on: ${fault}`);

/** An answer of JSON-RPC that is an error. */
export class RpcFault extends Error {
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }
}

/** Some readers of lines also end them at these characters, and would read the rest as another message. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** The one text without a line end that every reader reads as this frame. */
export const textOfFrame = (frame: Frame): string =>
  JSON.stringify(frame).replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same as a line. */
export const lineOf = (frame: Frame): string => `${textOfFrame(frame)}\n`;
