import { boundedAnswer } from '#core/tracing/bounded-answer';
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
  return { status: response.status, body: await boundedAnswer(response, maxAnswerBytes).text() };
};
