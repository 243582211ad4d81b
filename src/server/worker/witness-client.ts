import type { PostOffer } from '../engine/log/offer-checkpoint.ts';

/** Milliseconds. */
const timeoutMs = 10_000;
/** Bytes; a cosignature needs some hundred. */
const maxAnswerBytes = 16 * 1024;

/** Sends an offer over HTTP. */
export const postOffer: PostOffer = async ({ url }, body) => {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, body: text.slice(0, maxAnswerBytes) };
};
