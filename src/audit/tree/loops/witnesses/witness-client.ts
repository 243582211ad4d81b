import { sendRequest } from '#platform/http/client/outgoing-request';
import type { PostOffer } from '../../verbs/offer-checkpoint.ts';

/** Bytes; a cosignature needs some hundred. */
const maxAnswerBytes = 16 * 1024;

/** Sends an offer over HTTP. */
export const postOffer: PostOffer = async ({ url }, body) => {
  const limits = { maxBytes: maxAnswerBytes };
  const response = await sendRequest(`${url}/add-checkpoint`, { method: 'POST', body }, limits);
  return { status: response.status, body: await response.text() };
};
