import { Problem } from '../../model/problem.ts';

interface Limits {
  /** Milliseconds, much less than the lease of a message. */
  timeoutMs?: number | undefined;
  /** Limit in bytes, more than services and issuers answer: keys, a discovery document, the place of a message. */
  maxBytes?: number;
}

/**
 * Sends a request to another service and reads at most this many bytes of its answer, within this time; more is problem
 * `unavailable`. A redirect is an error, so that secrets go nowhere else. A library may bring its own signal, and see redirects
 * to refuse them.
 */
export async function sendRequest(
  url: string | URL | Request,
  request: RequestInit = {},
  { timeoutMs = 10_000, maxBytes = 1024 * 1024 }: Limits = {},
): Promise<Response> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs), ...request });
  return answer.body ? new Response(answer.body.pipeThrough(limit(maxBytes)), answer) : answer;
}

function limit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > maxBytes)
        throw new Problem('unavailable', { detail: `The answer is longer than ${maxBytes} bytes.` });
      controller.enqueue(chunk);
    },
  });
}
