import express, { type Express, type Request } from 'express';
import { routes } from '../../contract/routes.ts';
import { SlackClick, SlackVote } from '../../contract/console/chat.ts';
import { sha256 } from '../../crypto/digest.ts';
import { isFromSlack } from '../../crypto/slack-signature.ts';
import { voteInChat, type ChatVote } from '../../engine/chat/vote-in-chat.ts';
import type { ElicitationId } from '../../model/id.ts';
import { voteActions, type Status } from '../../model/elicitation.ts';
import { Problem, type ProblemCode } from '../../model/problem.ts';
import type { ApiParts, ChatDoor } from '../http/api-parts.ts';
import { noteRefused } from '../http/note-refusal.ts';
import { notFound } from '../http/problem-handler.ts';

/** Where Slack tells of clicks. Without Slack there is no such address. */
export function serveChatRoutes(app: Express, { engine, chat }: ApiParts): void {
  const { path } = routes.takeSlackClick;
  if (!chat) return void app.use(path, notFound);
  app.post(path, readBytes, async (request, response) => {
    refuseUnsigned(request, chat.signingSecret, engine.now());
    const click = readClick(request);
    const vote = click && voteOf(click);
    const said = vote && ((await isOurs(click, chat)) ? await castOrExplain(engine, vote) : stranger);
    response.set('cache-control', 'no-store').status(200).end();
    // What was said is done; who does not hear of it sees it on the message.
    if (vote && said) await chat.whisper({ channel: vote.place.channel, member: vote.member }, said).catch(() => {});
  });
}

const readBytes = express.raw({ type: 'application/x-www-form-urlencoded', limit: 256 * 1024, inflate: false });

/** Everything that is wrong with a signature is told with the same word. */
function refuseUnsigned(request: Request, secret: string, now: number): void {
  const timestamp = request.get('x-slack-request-timestamp');
  const signature = request.get('x-slack-signature');
  const body = bytesOf(request);
  if (!isFromSlack(secret, { timestamp, signature, body }, now)) throw new Problem('unauthenticated');
}

const bytesOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Null for what is no click on a message. */
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

const stranger = 'You belong to another workspace of Slack. Decide in the console.';

/** A member of another workspace, in a shared channel, is not one of ours. */
async function isOurs({ team, user }: SlackClick, chat: ChatDoor): Promise<boolean> {
  const named = [team?.id, user.team_id].filter((id) => id !== undefined);
  const ours = await chat.team().catch((cause: unknown) => {
    throw new Problem('unavailable', { detail: 'Slack cannot be asked.', cause });
  });
  return named.length > 0 && named.every((id) => id === ours);
}

/** Null for a button that is no vote, such as the one that opens the console. */
function voteOf({ actions, user, container, state, trigger_id }: SlackClick): ChatVote | null {
  const [pressed] = actions;
  const action = voteActions.find((one) => one === pressed?.action_id);
  const button = SlackVote.safeParse(parseJson(pressed?.value ?? null)).data;
  if (!action || !button) return null;
  return {
    member: user.id,
    place: { channel: container.channel_id, ts: container.message_ts },
    id: button.id as ElicitationId,
    digest: button.digest,
    action,
    comment: state?.values['reason']?.['reason']?.value?.trim() || undefined,
    delivery: sha256(trigger_id),
  };
}

/** What the person who clicked is told; null where this delivery was taken before. */
async function castOrExplain(engine: ApiParts['engine'], vote: ChatVote): Promise<string | null> {
  const link = `${engine.publicUrl()}/requests/${vote.id}`;
  try {
    const row = await voteInChat(engine, vote);
    return row && counted[row.status];
  } catch (error) {
    if (!(error instanceof Problem) || !told.has(error.code)) throw error;
    const from = { by: { kind: 'stranger' }, address: `slack ${vote.member}` } as const;
    await noteRefused(engine, from, [{ id: vote.id, problem: { code: error.code } }]);
    return `${error.errors[0]?.message ?? error.message} ${link}`;
  }
}

const counted: Record<Status, string> = {
  open: 'Your vote counts. It is not decided yet.',
  accepted: 'Your vote counts: it is approved.',
  declined: 'Your vote counts: it is declined.',
  cancelled: 'It was cancelled.',
  expired: 'It has expired.',
};

/** Problems that are the person's; all others are ours, and Slack shows that something failed. */
const told = new Set<ProblemCode>([
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
