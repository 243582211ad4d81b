import { channels } from '../../model/channels.ts';
import type { Chat } from '../parts/chat.ts';
import type { SlackClient, SlackMessage } from './slack-client.ts';
import { slackMessage, slackReminder } from './slack-message.ts';

/** Messages in Slack. */
export const createSlackChat = (client: SlackClient): Chat => ({
  name: 'slack',
  write: slackMessage,
  post: (target, message) => client.post(target, message as SlackMessage),
  update: (place, message) => client.update(place, message as SlackMessage),
  async remind({ place, target }, shown) {
    const reminder = slackReminder(shown);
    // A person gets a new message, a channel a reply to the existing one.
    if (channels.slack.member.test(target)) await client.postAgain(target, reminder);
    else await client.reply(place, reminder);
  },
});
