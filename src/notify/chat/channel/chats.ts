import type { ChatChannel } from '../contract.ts';
import type { Environment } from '#platform/config/env';
import { createTeamsChat, readTeams, type TeamsConfig } from '../msteams/msteams.ts';
import type { Chat } from './channel.ts';
import { readSlack, type SlackConfig, createSlackChat } from '../slack/slack.ts';
import { eventFacts, eventHeadline } from '../../channel/channel.ts';
import { unsigned, type WriteCall } from '../../webhooks/channel/webhooks.ts';

/** Settings of each chat; null or absent if not configured. */
export interface ChatSettings extends Partial<Record<ChatChannel, unknown>> {
  msteams?: TeamsConfig | null;
  slack?: SlackConfig | null;
}

/** Settings of the chats; problem `config-invalid` names the fault. */
export const readChats = (environment: Environment): ChatSettings => ({
  msteams: readTeams(environment),
  slack: readSlack(environment),
});

/** The configured chats. */
export const createChats = ({ msteams, slack }: ChatSettings, now: () => number): Chat[] =>
  [msteams ? createTeamsChat(msteams, now) : null, slack ? createSlackChat(slack) : null].filter(
    (chat) => chat !== null,
  );

/** A message for a chat that takes `{ "text": … }`, such as Mattermost, Rocket.Chat, Google Chat or Slack. */
export const writeChat: WriteCall = (event, { language }) =>
  unsigned({
    text: [
      eventHeadline(event, language),
      ...eventFacts(event, language).map(([label, value]) => `${label}: ${value}`),
      ...(event.data ? [event.data.url] : []),
    ].join('\n'),
  });
