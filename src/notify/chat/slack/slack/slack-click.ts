import { z } from 'zod';
import { sha256 } from '#platform/crypto/digest/digest';
import type { ChatVote } from '../../verbs/vote/vote-in-chat.ts';
import { voteActions } from '#requests/asking/contract/elicitation';
import { VoteButton } from '../../channel/channel/vote-button.ts';
import { parseJson } from '../../../channel/channel/parse-json.ts';

/** The parts of Slack's message about a click that matter here. */
const SlackClick = z.object({
  type: z.literal('block_actions'),
  /** Identifies this click. */
  trigger_id: z.string().min(1).max(200),
  /** Null if the app is installed for a whole organization. */
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), team_id: z.string().optional() }),
  container: z.object({ channel_id: z.string(), message_ts: z.string() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).min(1),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) })
    .nullish(),
});
type SlackClick = z.infer<typeof SlackClick>;

/** A click on a message; null if the form reports something else. `workspaces` are those of the member and the app. */
export function readSlackClick(form: Buffer): { vote: ChatVote | null; workspaces: string[] } | null {
  const payload = new URLSearchParams(form.toString('utf8')).get('payload');
  const click = SlackClick.safeParse(parseJson(payload)).data;
  if (!click) return null;
  const workspaces = [click.team?.id, click.user.team_id].filter((id) => id !== undefined);
  return { vote: voteOf(click), workspaces };
}

function voteOf({ actions, user, container, state, trigger_id }: SlackClick): ChatVote | null {
  const [pressed] = actions;
  const action = voteActions.find((candidate) => candidate === pressed?.action_id);
  const button = VoteButton.safeParse(parseJson(pressed?.value ?? null)).data;
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
