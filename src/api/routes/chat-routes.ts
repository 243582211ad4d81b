import express, { type Express, type Request } from 'express';
import { routes } from '../../contract/routes.ts';
import { SlackClick, SlackVote } from '../../contract/console/chat.ts';
import { sha256 } from '../../crypto/digest.ts';
import { isFromSlack } from '../../channels/slack/slack-signature.ts';
import { voteInChat, type ChatVote } from '../../engine/chat/vote-in-chat.ts';
import { voteActions, type Status } from '../../model/elicitation.ts';
import { Problem, type ProblemCode } from '../../model/problem.ts';
import type { ApiParts, ChatDoor } from '../http/api-parts.ts';
import { addressOf, noteRefused } from '../http/note-refusal.ts';
import { inPlace, readInPlace } from '../http/in-place.ts';
import { notFound } from '../http/problem-handler.ts';

/** The address for Slack's clicks. Without Slack it does not exist. */
export function serveChatRoutes(app: Express, { engine, chat, authenticate: { bodies, work } }: ApiParts): void {
  const { path } = routes.takeSlackClick;
  if (!chat) return void app.use(path, notFound);
  app.post(path, readInPlace(readBytes, bodies), async (request, response) => {
    refuseUnsigned(request, chat.signingSecret, engine.now());
    const click = readClick(request);
    const vote = click && voteOf(click);
    const cast = async (): Promise<string | null> =>
      vote && ((await isOurs(click, chat)) ? castOrExplain(engine, vote) : stranger);
    const answer = await inPlace(work, addressOf(request), cast);
    response.set('cache-control', 'no-store').status(200).end();
    // The vote is cast; if this reply fails, the message still shows it.
    if (vote && answer)
      await chat.whisper({ channel: vote.place.channel, member: vote.member }, answer).catch(() => {});
  });
}

const readBytes = express.raw({ type: 'application/x-www-form-urlencoded', limit: 256 * 1024, inflate: false });

/** Every fault of a signature gets the same answer. */
function refuseUnsigned(request: Request, secret: string, now: number): void {
  const timestamp = request.get('x-slack-request-timestamp');
  const signature = request.get('x-slack-signature');
  const body = bytesOf(request);
  if (!isFromSlack(secret, { timestamp, signature, body }, now)) throw new Problem('unauthenticated');
}

const bytesOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Null if it is not a click on a message. */
function readClick(request: Request): SlackClick | null {
  const payload = new URLSearchParams(bytesOf(request).toString('utf8')).get('payload');
  return SlackClick.safeParse(parseJson(payload)).data ?? null;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const stranger = 'Decide in the console: you belong to another Slack workspace.';

/** In a shared channel, a member of another workspace does not count. */
async function isOurs({ team, user }: SlackClick, chat: ChatDoor): Promise<boolean> {
  const named = [team?.id, user.team_id].filter((id) => id !== undefined);
  const ours = await chat.team().catch((cause: unknown) => {
    throw new Problem('unavailable', { detail: 'Try again later: Slack does not answer.', cause });
  });
  return named.length > 0 && named.every((id) => id === ours);
}

/** Null for a button that is not a vote, such as the one that opens the console. */
function voteOf({ actions, user, container, state, trigger_id }: SlackClick): ChatVote | null {
  const [pressed] = actions;
  const action = voteActions.find((candidate) => candidate === pressed?.action_id);
  const button = SlackVote.safeParse(parseJson(pressed?.value ?? null)).data;
  if (!action || !button) return null;
  return {
    member: user.id,
    place: { channel: container.channel_id, ts: container.message_ts },
    id: button.id,
    digest: button.digest,
    action,
    comment: state?.values['reason']?.['reason']?.value?.trim() || undefined,
    delivery: sha256(trigger_id),
  };
}

/** The reply to the person who clicked; null if this delivery was handled before. */
async function castOrExplain(engine: ApiParts['engine'], vote: ChatVote): Promise<string | null> {
  const link = `${engine.publicUrl()}/requests/${vote.id}`;
  try {
    const row = await voteInChat(engine, vote);
    return row && counted[row.status];
  } catch (error) {
    if (!(error instanceof Problem) || !explainableCodes.has(error.code)) throw error;
    const from = { by: { kind: 'stranger' }, address: `slack ${vote.member}` } as const;
    await noteRefused(engine, from, [{ id: vote.id, problem: { code: error.code } }]);
    return `${error.errors[0]?.message ?? error.message} ${link}`;
  }
}

const counted: Record<Status, string> = {
  open: 'Your vote is counted. The request isn’t decided yet.',
  accepted: 'Your vote is counted. The request is approved.',
  declined: 'Your vote is counted. The request is declined.',
  cancelled: 'This request was cancelled.',
  expired: 'This request has expired.',
};

/** Problems that the person can solve; for all others Slack shows that something failed. */
const explainableCodes = new Set<ProblemCode>([
  'INVALID_INPUT',
  'already-closed',
  'already-voted',
  'digest-mismatch',
  'forbidden',
  'fresh-sign-in-needed',
  'not-found',
  'not-now',
  'write-conflict',
]);
