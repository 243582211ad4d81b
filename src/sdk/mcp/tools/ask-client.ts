// The messages that the adapters of both SDKs send to a client to ask its person.
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

/** Without a mode, as clients before 2025-11-25 know it. */
export const formParams = ({ message, schema, meta }: FormRequest) => ({
  message,
  requestedSchema: schema,
  ...metaOf(meta),
});

export const urlParams = ({ meta, ...request }: UrlRequest) => ({ mode: 'url' as const, ...request, ...metaOf(meta) });

/** If it does not arrive, the person can also tell the client. */
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
 * Clients on the first SDK ignore the cancellation of request 0, and would continue to show a form that no one waits
 * for.
 */
export function skipFirstRequestId(mcp: object, ping: () => Promise<unknown>): void {
  if (started.has(mcp)) return;
  started.add(mcp);
  ping().catch(() => {});
}
