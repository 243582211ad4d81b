import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CancelledNotificationSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * Runs the work under a signal that aborts if request 0 is cancelled. Clients of SDK v1 ignore that cancellation, and 0
 * is the id of a server's first question, so approvers would read a dead question.
 */
export async function withCancellation<T>(
  client: Client,
  requestId: RequestId,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { transport } = client;
  if (requestId !== 0 || !transport) return work(signal);
  const cancelled = new AbortController();
  const deliver = transport.onmessage;
  const listen: typeof deliver = (message, extra) => {
    const { success, data } = CancelledNotificationSchema.safeParse(message);
    if (success && data.params.requestId === 0) cancelled.abort(data.params.reason);
    deliver?.(message, extra);
  };
  transport.onmessage = listen;
  try {
    return await work(AbortSignal.any([signal, cancelled.signal]));
  } finally {
    if (transport.onmessage === listen && deliver) transport.onmessage = deliver;
  }
}
