import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventOf, streamHeaders, writeTo } from '../../http/messages/client-answer.ts';
import { beatUntilClosed } from '../../http/messages/send-answer.ts';
import type { UpstreamEvent } from '../../upstreams/upstream/upstream.ts';
import type { Sessions } from './ask-each.ts';
import type { MergedUpstream, ForwardedRequest } from '../upstream/merged-upstream.ts';

/** Milliseconds until a stream that broke is opened again. */
const pause = 1_000;

/**
 * Everything they say by themselves in a session, until the client leaves. This stream cannot be resumed: an event has
 * a place in the stream of one upstream only.
 */
export async function follow(
  members: readonly MergedUpstream[],
  forwarded: ForwardedRequest,
  sessions: Sessions,
  response: ServerResponse,
): Promise<void> {
  beginStream(response);
  const streams = members.map((member) => {
    const own = { ...forwarded, session: sessions?.get(member.name) };
    return keepOpen(member, own, async ({ message }) =>
      sendOnStream(response, message && (await member.show(message))),
    );
  });
  await Promise.all(streams);
  response.end();
}

/** Begins a stream without an end. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, streamHeaders);
  response.flushHeaders();
  beatUntilClosed(response);
}

/** Writes one message, if there is one. */
export const sendOnStream = async (response: ServerResponse, text: string | null): Promise<void> =>
  text === null ? undefined : writeTo(response, eventOf(text));

/** Reads its stream, and opens it again whenever it breaks, until the client leaves or the server has none. */
export async function keepOpen(
  member: MergedUpstream,
  forwarded: ForwardedRequest,
  take: (event: UpstreamEvent) => Promise<void>,
): Promise<void> {
  const { signal } = forwarded;
  while (!signal.aborted) {
    try {
      const answer = await member.pass(forwarded);
      if (!answer.isStream && isFinal(answer.status)) return;
      member.meet();
      if (answer.isStream) for await (const event of answer.events()) await take(event);
    } catch (error) {
      if (!signal.aborted) member.miss(error);
    }
    await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** The session has ended there, or there is no such stream. Another stream of the client may still be closing (409). */
const isFinal = (status: number): boolean => status < 500 && status !== 409;
