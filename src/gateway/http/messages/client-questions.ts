import type { RelayedAnswer } from '#requests/asking/contract/open';
import type { StateBinding } from '#requests/asking/contract/routes/request-state';
import { Reply } from '#sdk/mcp/channels/channels/reply';
import { decisionIn } from '#sdk/mcp/question/result/decision';
import { digestJson } from '#sdk/mcp/question/call/call-name';
import type { AskLimits, ClientReply, FormRequest } from '#sdk/mcp/question/call/incoming-call';
import type { Principal } from '#sdk/mcp/tools/principal/principal';
import { Problem } from '#platform/model/problem/problem';
import { askPerson } from '../../calls/serve-call/ask-person.ts';
import { OwnRequests, ownIdPrefix } from '../../calls/connections/own-requests.ts';
import { isInvalid, type Place } from '../../calls/serve-call/rounds.ts';
import { textOfFrame, type Frame } from '../../frames/frame/frame.ts';
import type { ClientAnswer } from './client-answer.ts';

/*
 * The gateway's own questions to clients over HTTP, before 2026-07-28. A client is asked on the stream of its call, and
 * its answer may come to another node. So the id of a question holds its request, sealed by Assentry for this person:
 * any node can record the answer, and the one that holds the call gets it from Assentry.
 */

/** The questions on the stream of one call. */
export const questionsOn = (answer: ClientAnswer): OwnRequests =>
  new OwnRequests((frame) => void answer.send(textOfFrame(frame)));

/** Asks the person at the client. Never rejects. */
export async function askOnStream(
  place: Promise<Place>,
  principal: Principal,
  requests: OwnRequests,
  [question, { elicitationId, ...limits }]: [FormRequest, AskLimits],
): Promise<ClientReply> {
  try {
    const id = elicitationId === undefined ? undefined : await sealedId(await place, principal, elicitationId);
    return await askPerson(requests, question, limits, id);
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function sealedId({ client }: Place, principal: Principal, elicitation: string): Promise<string> {
  const content = JSON.stringify({ elicitation });
  const { state } = await client.sealRound({ binding: await bindingOf(principal), content });
  return ownIdPrefix + state;
}

/** Records the answer to a question of another node; false if it answers none of this person. */
export async function recordAnswer(
  place: () => Promise<Place>,
  principal: Principal,
  { id, result, error }: Frame,
): Promise<boolean> {
  if (typeof id !== 'string' || !id.startsWith(ownIdPrefix)) return false;
  const { client } = await place();
  try {
    const redeemed = await client.redeemRound({
      state: id.slice(ownIdPrefix.length),
      binding: await bindingOf(principal),
    });
    const { elicitation } = JSON.parse(redeemed.content) as { elicitation: string };
    await client.answer(elicitation, error === undefined ? answerIn(result) : { action: 'cancel' });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-closed') return true;
    if (isInvalid(error)) return false;
    throw error;
  }
}

/** The form is a decision. What is no answer, or an accept that decides nothing, is no yes; only the node of the call could ask again. */
function answerIn(result: unknown): RelayedAnswer {
  const { data } = Reply.safeParse(result);
  if (data?.action !== 'accept') return { action: data?.action ?? 'cancel' };
  const decision = decisionIn(data.content);
  return decision === 'approve' ? { action: 'accept', content: {} } : { action: decision ?? 'cancel' };
}

const bindingOf = async ({ subject, issuer, verified }: Principal): Promise<StateBinding> => ({
  principal: { subject, ...(issuer !== undefined && { issuer }), verified },
  method: 'elicitation/create',
  tool: 'assentry.question',
  argumentsDigest: await digestJson({}),
});
