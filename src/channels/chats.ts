import type { ChatChannel } from '../model/channels.ts';
import type { Environment } from '../config/env.ts';
import type { Chat } from './parts/chat.ts';
import { readSlack, type SlackConfig } from './slack/settings.ts';
import { createSlackChat } from './slack/slack.ts';

/** What each chat needs of its platform; null or absent if it is not set up. */
export interface ChatSettings extends Partial<Record<ChatChannel, unknown>> {
  slack?: SlackConfig | null;
}

/** Problem `config-invalid` names what is wrong. */
export const readChats = (environment: Environment): ChatSettings => ({ slack: readSlack(environment) });

/** The chats that are set up. */
export const createChats = ({ slack }: ChatSettings): Chat[] =>
  [slack ? createSlackChat(slack) : null].filter((chat) => chat !== null);
