import { z } from 'zod';
import type { ChatChannel } from '../../model/channels.ts';
import type { RouteContract } from '../http/route-contract.ts';

/** The calls with which chats report clicks. Each is proven in the way of its chat. */
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

/** The address that each chat calls. */
export const clickPaths: Record<ChatChannel, string> = { slack: chatRoutes.takeSlackClick.path };
