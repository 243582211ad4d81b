import { z } from 'zod';
import { ElicitationId } from '../servers/elicitation.ts';
import { digest } from '../http/formats.ts';
import type { RouteContract } from '../http/route-contract.ts';

/** The parts of Slack's message about a click that matter here. */
export const SlackClick = z.object({
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
export type SlackClick = z.infer<typeof SlackClick>;

/** The value of one of our buttons. */
export const SlackVote = z.strictObject({ id: ElicitationId, digest });

export const chatRoutes = {
  takeSlackClick: {
    method: 'post',
    path: '/chat/slack/interactions',
    auth: 'signature',
    summary: 'A click in Slack, signed by Slack. It is a vote of the person linked to that member, or of no one.',
    body: z.object({ payload: z.string().meta({ description: 'JSON, as Slack describes it.' }) }),
    success: { 200: null },
    form: true,
  },
} as const satisfies Record<string, RouteContract>;
