import type { ChatChannel } from '../../contract/channels.ts';
import type { Environment } from '#platform/config/env';
import { createTeamsChat } from '../../msteams/msteams/msteams.ts';
import { readTeams, type TeamsConfig } from '../../msteams/msteams/settings.ts';
import type { Chat } from '../channel/chat.ts';
import { readSlack, type SlackConfig } from '../../slack/slack/settings.ts';
import { createSlackChat } from '../../slack/slack/slack.ts';

/** What each chat needs of its platform; null or absent if it is not set up. */
export interface ChatSettings extends Partial<Record<ChatChannel, unknown>> {
  msteams?: TeamsConfig | null;
  slack?: SlackConfig | null;
}

/** Problem `config-invalid` names what is wrong. */
export const readChats = (environment: Environment): ChatSettings => ({
  msteams: readTeams(environment),
  slack: readSlack(environment),
});

/** The chats that are set up. */
export const createChats = ({ msteams, slack }: ChatSettings, now: () => number): Chat[] =>
  [msteams ? createTeamsChat(msteams, now) : null, slack ? createSlackChat(slack) : null].filter(
    (chat) => chat !== null,
  );
