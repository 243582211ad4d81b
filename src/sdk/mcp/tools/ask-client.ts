// Messages of both SDKs' adapters to a client that ask its person.
import { z } from 'zod';
import { maxTimerMs } from '../../client/transport.ts';
import { Reply } from '../channels/channels.ts';
import type { AskLimits, ClientReply, FormRequest, ToolResult, UrlRequest } from '../question/call.ts';

/** The client's reply; an SDK error becomes a reply, so this never rejects. */
export async function askClient(
  send: (limits: Omit<AskLimits, 'elicitationId'>) => Promise<unknown>,
  { signal, timeout }: AskLimits,
  explain: (error: unknown) => ClientReply,
): Promise<ClientReply> {
  try {
    const { data } = Reply.safeParse(await send({ signal, timeout: Math.min(timeout, maxTimerMs) }));
    return data ? { kind: 'answer', ...data } : { kind: 'failed', reason: 'it answered no accept, decline or cancel.' };
  } catch (error) {
    return explain(error);
  }
}

/** The client's reply as the SDK returns it; this file decides whether it is an answer. */
export const AnyReply = z.looseObject({});

const metaOf = (meta: Record<string, unknown> | undefined) => meta && { _meta: meta };

/** Parameters of a form without a mode, for clients before 2025-11-25. */
export const formParams = ({ message, schema, meta }: FormRequest) => ({
  message,
  requestedSchema: schema,
  ...metaOf(meta),
});

export const urlParams = ({ meta, ...request }: UrlRequest) => ({ mode: 'url' as const, ...request, ...metaOf(meta) });

/** Notification of a completion. If it is lost, the person can also tell the client. */
export const completion = (elicitationId: string) =>
  ({ method: 'notifications/elicitation/complete', params: { elicitationId } }) as const;

const errors = new WeakMap<ToolResult, Error>();

/** A result that represents an error until it has left the run. */
export function resultFor(error: Error): ToolResult {
  const result: ToolResult = { content: [] };
  errors.set(result, error);
  return result;
}

export function throwIfError(result: ToolResult): ToolResult {
  const error = errors.get(result);
  if (error) throw error;
  return result;
}

const started = new WeakSet<object>();

/**
 * Skips request id 0: clients on the first SDK ignore its cancellation, and would continue to show a form without a waiting
 * caller.
 */
export function skipFirstRequestId(mcp: object, ping: () => Promise<unknown>): void {
  if (started.has(mcp)) return;
  started.add(mcp);
  ping().catch(() => {});
}
