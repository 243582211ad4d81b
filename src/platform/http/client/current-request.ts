import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { parseTraceparent, type Traceparent } from '../../model/traceparent.ts';

interface CurrentRequest {
  requestId: string;
  /** The caller's trace; undefined if it sent none. */
  trace: Traceparent | undefined;
  /** Timers and connections started by a request outlive it, and then no longer belong to it. */
  isOver: boolean;
}

const entered = new AsyncLocalStorage<CurrentRequest>();

/** Form of an id that a caller, or its proxy, gives its request. */
const requestIdPattern = /^[\w.:+/=-]{1,128}$/;

/** The request under the caller's id, or a new one. */
export function readRequest(requestId: unknown, traceparent: unknown): CurrentRequest {
  const isValid = typeof requestId === 'string' && requestIdPattern.test(requestId);
  return { requestId: isValid ? requestId : randomUUID(), trace: parseTraceparent(traceparent), isOver: false };
}

/** Runs the work, with everything that it awaits or starts, for this request. */
export const runRequest = (request: CurrentRequest, work: () => void): void => entered.run(request, work);

function currentRequest(): CurrentRequest | undefined {
  const request = entered.getStore();
  return request?.isOver ? undefined : request;
}

/** Fields for each line of the log: the request that it belongs to, if any. */
export function requestFields(request = currentRequest()): Record<string, string> {
  if (!request) return {};
  const { requestId, trace } = request;
  return trace ? { requestId, traceId: trace.traceId, spanId: trace.spanId } : { requestId };
}

/** Headers for calls on behalf of the request. */
export function traceHeaders(): Record<string, string> {
  const trace = currentRequest()?.trace;
  return trace ? { traceparent: trace.header } : {};
}
