import { z } from 'zod';
import { sha256 } from '#platform/crypto/digest/digest';
import type { ChatVote } from '../../verbs/vote/vote-in-chat.ts';
import { voteActions } from '#requests/asking/contract/elicitation';
import { VoteButton } from '../../channel/channel/vote-button.ts';

/** What every call of the Bot Connector says of itself. */
export const Activity = z.looseObject({ channelId: z.literal('msteams'), serviceUrl: z.string().min(1) });

/** The parts of its message about a click that matter here. */
const Click = z.object({
  type: z.literal('invoke'),
  name: z.literal('adaptiveCard/action'),
  id: z.string().min(1).max(500),
  replyToId: z.string().min(1).max(500),
  /** Members are known by their object ids in the tenant. */
  from: z.object({ aadObjectId: z.string().max(100).optional() }),
  conversation: z.object({ id: z.string().min(1), tenantId: z.string().optional() }),
  channelData: z.object({ tenant: z.object({ id: z.string() }).optional() }).nullish(),
  value: z.object({ action: z.object({ verb: z.string(), data: z.record(z.string(), z.unknown()) }) }),
});

/** A click on a card; null if the call reports something else. `tenants` are all that it names. */
export function readTeamsClick(activity: unknown): { vote: ChatVote | null; tenants: string[] } | null {
  const click = Click.safeParse(activity).data;
  if (!click) return null;
  const { conversation, channelData } = click;
  const tenants = [conversation.tenantId, channelData?.tenant?.id].filter((id) => id !== undefined);
  return { vote: voteOf(click), tenants };
}

function voteOf({ id, replyToId, from, conversation, value: { action } }: z.infer<typeof Click>): ChatVote | null {
  const { reason, ...data } = action.data;
  const verb = voteActions.find((candidate) => candidate === action.verb);
  const button = VoteButton.safeParse(data).data;
  if (!verb || !button) return null;
  return {
    member: from.aadObjectId?.toLowerCase() ?? '',
    place: { channel: conversation.id, ts: replyToId },
    id: button.id,
    digest: button.digest,
    action: verb,
    comment: typeof reason === 'string' ? reason.trim() || undefined : undefined,
    delivery: sha256(JSON.stringify([conversation.id, id])),
  };
}
