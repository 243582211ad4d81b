import {
  isObject,
  metaKey,
  metaOf,
  paramsOf,
  progressTokenOf,
  type Frame,
  type FrameId,
} from '../../frames/frame/frame.ts';
import { textInTurns } from '../../frames/frame/large-text.ts';
import type { MessageStream } from '../upstream/message-stream.ts';

/** A request that a process has not answered. */
export interface OpenRequest {
  method: unknown;
  stream: MessageStream;
  /** As its client wrote it. */
  id: FrameId;
  token: FrameId | undefined;
  /** As the process got it. */
  sentId: FrameId;
  sentToken: FrameId | undefined;
}

/** A message of a process. */
interface Message {
  frame: Frame;
  text: string;
}

const subscription = metaKey('subscriptionId');

/**
 * The open requests of one process. If several clients share it, it gets numbers in place of their ids and progress tokens,
 * which are put back in what it sends.
 */
export class OpenRequests {
  readonly #isShared: boolean;
  readonly #byId = new Map<FrameId, OpenRequest>();
  readonly #byToken = new Map<FrameId, OpenRequest>();
  #count = 0;

  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The one that was opened last. */
  get latest(): OpenRequest | undefined {
    return [...this.#byId.values()].at(-1);
  }

  /** To whom the process has yet to answer. */
  get streams(): MessageStream[] {
    return [...this.#byId.values()].map(({ stream }) => stream);
  }

  /** Ends all: none of them will be answered. */
  takeAll(): OpenRequest[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    this.#byToken.clear();
    return all;
  }

  /** The request, and what the process is to get; null if its id is in use. */
  open(frame: Frame, stream: MessageStream): { request: OpenRequest; sent: Frame } | null {
    const id = frame.id as FrameId;
    const token = progressTokenOf(frame);
    const number = (this.#count += 1);
    const sentId = this.#isShared ? number : id;
    if (this.#byId.has(sentId)) return null;
    const sentToken = this.#isShared && token !== undefined ? number : token;
    const request = { method: frame.method, stream, id, token, sentId, sentToken };
    this.#byId.set(sentId, request);
    if (sentToken !== undefined) this.#byToken.set(sentToken, request);
    return { request, sent: this.#isShared ? renamed(frame, sentId, sentToken) : frame };
  }

  /** False if it is not open any more. */
  close({ sentId, sentToken }: OpenRequest): boolean {
    if (sentToken !== undefined) this.#byToken.delete(sentToken);
    return this.#byId.delete(sentId);
  }

  /** The open request of this id, as the process was given it. */
  of(id: unknown): OpenRequest | undefined {
    return this.#byId.get(id as FrameId);
  }

  /** The request that a message names: as its answer, its progress or its subscription. */
  named(frame: Frame): OpenRequest | undefined {
    if (frame.method === undefined) return this.of(frame.id);
    if (frame.method === 'notifications/progress') {
      return this.#byToken.get(paramsOf(frame)['progressToken'] as FrameId);
    }
    return this.of(metaOf(frame)[subscription]);
  }

  /** The message as the client of this request reads it. */
  async restore(message: Message, request: OpenRequest): Promise<Message> {
    if (!this.#isShared) return message;
    const frame = restored(message.frame, request);
    return { frame, text: await textInTurns(frame) };
  }
}

function renamed(frame: Frame, id: FrameId, progressToken: FrameId | undefined): Frame {
  if (progressToken === undefined) return { ...frame, id };
  return { ...frame, id, params: { ...paramsOf(frame), _meta: { ...metaOf(frame), progressToken } } };
}

function restored(frame: Frame, { id, token }: OpenRequest): Frame {
  const { result } = frame;
  if (frame.method === undefined)
    return { ...frame, id, ...(isObject(result) && { result: withSubscription(result, id) }) };
  if (frame.method === 'notifications/progress')
    return { ...frame, params: { ...paramsOf(frame), progressToken: token } };
  return { ...frame, params: withSubscription(paramsOf(frame), id) };
}

/** `subscriptions/listen` gives its id to what it sends. */
function withSubscription(part: Record<string, unknown>, id: FrameId): Record<string, unknown> {
  const { _meta: meta } = part;
  return isObject(meta) && meta[subscription] !== undefined
    ? { ...part, _meta: { ...meta, [subscription]: id } }
    : part;
}
