import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventOf, streamHeaders, writeTo, beatUntilClosed } from '../http/messages.ts';
import { type UpstreamEvent, UpstreamRefusal } from '../upstreams/upstream.ts';
import {
  type MergedUpstream,
  type ForwardedRequest,
  ownFilter,
  honoredOf,
  isUnknownMethod,
  type AnsweredRequest,
} from './upstream.ts';
import { members } from '../frames/reading.ts';
import {
  metaKey,
  paramsOf,
  resultFrame,
  RpcFault,
  textOfFrame,
  unknownMethod,
  type Frame,
  type FrameId,
} from '../frames/frame.ts';
import { mergeHonored, type Part as AnswerPart } from './results.ts';
import { underSignals } from '#sdk/client/transport';
import type { UpstreamSession } from './names.ts';

/** Milliseconds until a stream that broke is opened again. */
const pause = 1_000;

/**
 * Passes on all unrequested messages of a session, until the client leaves. This stream cannot be resumed: an event has a place
 * in the stream of one upstream only.
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
function beginStream(response: ServerResponse): void {
  response.writeHead(200, streamHeaders);
  response.flushHeaders();
  beatUntilClosed(response);
}

/** Writes one message, if any. */
const sendOnStream = async (response: ServerResponse, text: string | null): Promise<void> =>
  text === null ? undefined : writeTo(response, eventOf(text));

/** Reads the upstream's stream, and opens it again after each break, until the client leaves or the server has none. */
async function keepOpen(
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

/** True if the session has ended there, or has no such stream. Another stream of the client may still be closing (409). */
const isFinal = (status: number): boolean => status < 500 && status !== 409;

const acknowledged = 'notifications/subscriptions/acknowledged';

/** A subscription of 2026-07-28 at all upstreams. It begins when each has named the part it takes up, or cannot be asked. */
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
  /** The part it takes up, as the client reads it; null if it cannot be asked. */
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

  /** Passes on its messages, until it ends. */
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

/** Milliseconds for which a silent upstream delays the others. */
const timeoutMs = 5_000;

/** The subscription for one upstream: its own addresses and tasks, by its own names. */
const frameFor = ({ name }: MergedUpstream, frame: Frame): Frame =>
  members({ params: members({ notifications: ownFilter(name) }) })(frame) as Frame;

/** Milliseconds after which an upstream is left out of the common answer. */
const eachTimeoutMs = 30_000;

/** An upstream's answer, or the reason why it gave none. */
export type Outcome = { member: MergedUpstream } & ({ answered: AnsweredRequest } | { error: unknown });

/** Each upstream's name of the client's session; null for a request without one. */
export type Sessions = ReadonlyMap<string, UpstreamSession> | null;

/** Asks all upstreams at once. A silent one is left out, and the operator is told. */
export function askEach(
  members: readonly MergedUpstream[],
  forwarded: ForwardedRequest,
  sessions: Sessions,
  frameFor: (member: MergedUpstream) => Frame,
): Promise<Outcome[]> {
  const ask = async (member: MergedUpstream, signal: AbortSignal): Promise<Outcome> => {
    try {
      const session = sessions?.get(member.name);
      const answered = await member.ask({ ...forwarded, frame: frameFor(member), signal, session });
      member.meet();
      return { member, answered };
    } catch (error) {
      if (!forwarded.signal.aborted && !isUnknownMethod(error)) member.miss(error);
      return { member, error };
    }
  };
  return underSignals([forwarded.signal, AbortSignal.timeout(eachTimeoutMs)], (signal) =>
    Promise.all(members.map((member) => ask(member, signal))),
  );
}

/** Passes a message to all upstreams, whatever they answer. */
export async function notifyEach(
  members: readonly MergedUpstream[],
  forwarded: ForwardedRequest,
  sessions: Sessions,
): Promise<void> {
  const tellings = members.map(async (member) => {
    const answer = await member.pass({ ...forwarded, session: sessions?.get(member.name) });
    if (!answer.isStream) await answer.text();
  });
  await Promise.allSettled(tellings);
}

/** The answers; throws an upstream's error if there are none. */
export function partsOf(outcomes: readonly Outcome[]) {
  const answers = outcomes.filter((outcome) => 'answered' in outcome);
  if (answers.length === 0 && outcomes.length > 0) throw errorAmong(outcomes);
  const parts = answers.map(({ member, answered }): AnswerPart => ({ upstream: member.name, ...answered }));
  return { parts, before: answers.flatMap(({ answered }) => answered.before) };
}

/** Did a reachable upstream fail to answer? */
export const isRefused = (outcomes: readonly Outcome[]): boolean =>
  outcomes.some((outcome) => 'error' in outcome && !isAbsence(outcome.error));

/** The error to report. A lost session comes first, because the client then connects again. */
function errorAmong(outcomes: readonly Outcome[]): unknown {
  const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
  return errors.find((error) => !isUnknownMethod(error)) ?? errors[0];
}

/** True if the upstream was not reached, which tells nothing about its capabilities. */
const isAbsence = (error: unknown): boolean =>
  !(error instanceof RpcFault) || (error instanceof UpstreamRefusal && error.status >= 500);
