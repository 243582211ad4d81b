import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { parseTraceparent, type Traceparent } from '../../model/traceparent.ts';

interface CurrentRequest {
  requestId: string;
  /** The caller's trace; undefined if it sent none. */
  trace: Traceparent | undefined;
  /** Timers and connections that a request has started outlive it, and then no longer belong to it. */
  isOver: boolean;
}

const entered = new AsyncLocalStorage<CurrentRequest>();

/** What a caller, or its proxy, may call its request. */
const requestIdPattern = /^[\w.:+/=-]{1,128}$/;

/** Under the id that the caller brings, or a new one. */
export function readRequest(requestId: unknown, traceparent: unknown): CurrentRequest {
  const isValid = typeof requestId === 'string' && requestIdPattern.test(requestId);
  return { requestId: isValid ? requestId : randomUUID(), trace: parseTraceparent(traceparent), isOver: false };
}

/** Runs the work, and everything that it awaits or starts, for this request. */
export const runRequest = (request: CurrentRequest, work: () => void): void => entered.run(request, work);

function currentRequest(): CurrentRequest | undefined {
  const request = entered.getStore();
  return request?.isOver ? undefined : request;
}

/** For each line of the log: the request that it was written for, if it was for one. */
export function requestFields(request = currentRequest()): Record<string, string> {
  if (!request) return {};
  const { requestId, trace } = request;
  return trace ? { requestId, traceId: trace.traceId, spanId: trace.spanId } : { requestId };
}

/** For what is called on behalf of the request. */
export function traceHeaders(): Record<string, string> {
  const trace = currentRequest()?.trace;
  return trace ? { traceparent: trace.header } : {};
}
