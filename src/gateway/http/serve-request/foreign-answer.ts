import { isFrameId, isObject, type FrameId } from '../../frames/frame/frame.ts';
import type { UpstreamLine } from '../../frames/reading/read-upstream.ts';

/** What a client has asked for, to which a server answers. */
export interface Asked {
  /** Of the request that was posted; null if none was. */
  id: FrameId | null;
  /** The stream goes on from an earlier one, with the answers to earlier requests. */
  isResumed: boolean;
}

/**
 * Does this message answer a request of the client that it was not sent for? The client would take it for the answer,
 * also to a call that is still held.
 */
export function isForeignAnswer(
  message: UpstreamLine,
  { id, isResumed }: Asked,
  calls: ReadonlyMap<FrameId, { hasRun(): boolean }> | null,
): boolean {
  const answered = answeredBy(message);
  if (!isFrameId(answered)) return false;
  return isResumed ? calls?.get(answered)?.hasRun() === false : answered !== id;
}

const answeredBy = (message: UpstreamLine): unknown =>
  'fault' in message ? message.id : message.frame.method === undefined ? message.frame.id : undefined;

/** Does it carry what a tool has returned: as the answer itself, or within that of a task? */
export function carriesResult(message: UpstreamLine): boolean {
  if ('fault' in message) return false;
  const { result, params } = message.frame;
  const within = [result, params].map((part) => (isObject(part) ? part['result'] : undefined));
  return [result, ...within].some(
    (part) => isObject(part) && (part['content'] !== undefined || part['structuredContent'] !== undefined),
  );
}
