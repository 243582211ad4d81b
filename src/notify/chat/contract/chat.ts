import { z } from 'zod';
import type { ChatChannel } from './channels.ts';
import type { RouteContract } from '#platform/http/contract/route/route-contract';

/** The calls with which chats report clicks. Each is proven in the way of its chat. */
export const chatRoutes = {
  takeTeamsActivity: {
    method: 'post',
    path: '/chat/msteams/messages',
    auth: 'connector',
    summary:
      'A message of the Bot Connector. A click in Microsoft Teams is a vote of the person linked to that member, or of no one.',
    body: z.looseObject({ type: z.string() }).meta({ description: 'An activity, as the Bot Framework describes it.' }),
    success: {
      200: z.object({ statusCode: z.int(), type: z.string(), value: z.string() }).meta({
        description: 'What the member who clicked is shown. Empty if it was no click.',
      }),
    },
  },
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

/** The address that each chat calls. */
export const clickPaths: Record<ChatChannel, string> = {
  msteams: chatRoutes.takeTeamsActivity.path,
  slack: chatRoutes.takeSlackClick.path,
};
