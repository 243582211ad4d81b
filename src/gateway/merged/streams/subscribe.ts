import type { ServerResponse } from 'node:http';
import { members } from '../../frames/reading/changes.ts';
import {
  metaKey,
  paramsOf,
  resultFrame,
  RpcFault,
  textOfFrame,
  unknownMethod,
  type Frame,
  type FrameId,
} from '../../frames/frame/frame.ts';
import type { UpstreamEvent } from '../../upstreams/upstream/upstream.ts';
import type { Sessions } from './ask-each.ts';
import { beginStream, keepOpen, sendOnStream } from './follow-streams.ts';
import { ownFilter } from '../upstream/for-upstream.ts';
import type { MergedUpstream, ForwardedRequest } from '../upstream/merged-upstream.ts';
import { mergeHonored } from '../results/merge-results.ts';
import { honoredOf } from '../upstream/for-client.ts';

const acknowledged = 'notifications/subscriptions/acknowledged';

/** A subscription of 2026-07-28 at all of them. It begins when each has said what it takes up, or cannot be asked. */
export async function subscribe(
  upstreams: readonly MergedUpstream[],
  forwarded: ForwardedRequest & { frame: Frame },
  sessions: Sessions,
  response: ServerResponse,
): Promise<void> {
  const { frame } = forwarded;
  const parts = upstreams.map(
    (member) =>
      new Part(member, { ...forwarded, frame: frameFor(member, frame), session: sessions?.get(member.name) }, response),
  );
  const all = await Promise.all(parts.map(({ honored }) => honored));
  const filters = all.filter((filter) => filter !== null);
  if (filters.length === 0) throw new RpcFault(unknownMethod);
  beginStream(response);
  const _meta = { [metaKey('subscriptionId')]: frame.id };
  const params = { _meta, notifications: mergeHonored(filters) };
  await sendOnStream(response, textOfFrame({ jsonrpc: '2.0', method: acknowledged, params }));
  await Promise.all(parts.map((part) => part.tellOn()));
  await sendOnStream(response, textOfFrame(resultFrame(frame.id as FrameId, { resultType: 'complete', _meta })));
  response.end();
}

/** A subscription at one upstream. */
class Part {
  /** What it takes up, as the client reads it; null if it cannot be asked. */
  readonly honored: Promise<unknown>;
  readonly #member: MergedUpstream;
  readonly #response: ServerResponse;
  readonly #ended: Promise<void>;
  readonly #begun: Promise<void>;
  #begin = (): void => {};
  #honor: (filter: unknown) => void = () => {};

  constructor(member: MergedUpstream, forwarded: ForwardedRequest, response: ServerResponse) {
    this.#member = member;
    this.#response = response;
    this.honored = new Promise((resolve) => (this.#honor = resolve));
    this.#begun = new Promise((resolve) => (this.#begin = resolve));
    this.#ended = keepOpen(member, forwarded, (event) => this.#take(event)).finally(() => this.#honor(null));
    setTimeout(() => this.#honor(null), timeoutMs).unref();
  }

  /** Passes on what it says, until it ends. */
  tellOn(): Promise<void> {
    this.#begin();
    return this.#ended;
  }

  async #take({ message }: UpstreamEvent): Promise<void> {
    if (!message || !('frame' in message) || message.frame.method === undefined) return;
    const { frame } = message;
    if (frame.method === acknowledged)
      return this.#honor(honoredOf(this.#member.name)(paramsOf(frame)['notifications']));
    await this.#begun;
    await sendOnStream(this.#response, await this.#member.show(message));
  }
}

/** Milliseconds for which an upstream that does not answer keeps the others from beginning. */
const timeoutMs = 5_000;

/** Each gets its own addresses and tasks, by its own names. */
const frameFor = ({ name }: MergedUpstream, frame: Frame): Frame =>
  members({ params: members({ notifications: ownFilter(name) }) })(frame) as Frame;
