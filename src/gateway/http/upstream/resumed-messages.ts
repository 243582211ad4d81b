import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#platform/model/problem/problem';
import { isOk, messagesOf, type UpstreamAnswer, type UpstreamEvent } from '../../upstreams/upstream/upstream.ts';

interface Resuming {
  /** Asks for what follows the event of this id; null if the upstream cannot be asked. */
  resume: ((lastEventId: string) => Promise<UpstreamAnswer>) | null;
  signal: AbortSignal;
}

/** Milliseconds before a stream is resumed: unless the upstream says otherwise, and the limits of what it may say. */
const [defaultPauseMs, minPauseMs, maxPauseMs] = [1_000, 100, 600_000];

/**
 * The messages of the answer to a call. Since 2025-11-25 an upstream may end a stream before the answer, and have the
 * client come back for the rest: so this does, as it does if the connection is lost. The call is not sent again.
 */
export async function* resumedMessages(
  first: UpstreamAnswer,
  { resume, signal }: Resuming,
): AsyncGenerator<UpstreamEvent> {
  let lastId: string | undefined;
  let pause = defaultPauseMs;
  for (let answer = first; ;) {
    try {
      for await (const event of messagesOf(answer)) {
        lastId = event.id ?? lastId;
        pause = event.retry ?? pause;
        yield event;
      }
    } catch (error) {
      if (lastId === undefined || !resume || error instanceof Problem || signal.aborted) throw error;
    }
    if (lastId === undefined || !resume) return;
    await sleep(Math.min(Math.max(pause, minPauseMs), maxPauseMs), undefined, { signal });
    answer = await resume(lastId).catch(failed);
    if (!isOk(answer)) failed(answer.status);
  }
}

/** The call has run, or runs: whatever went wrong now is no refusal of it. */
function failed(cause: unknown): never {
  throw new Problem('outcome-unknown', { cause });
}
