import { channels } from '../../contract/channels.ts';
import { Problem } from '#platform/model/problem/problem';
import type { Chat } from '../../channel/channel/chat.ts';
import type { SlackConfig } from './settings.ts';
import { createSlackClient, type SlackMessage } from './slack-client.ts';
import { readSlackClick } from './slack-click.ts';
import { slackMessage, slackReminder } from './slack-message.ts';
import { isFromSlack } from './slack-signature.ts';

/** Messages in Slack, and votes there. */
export function createSlackChat(config: SlackConfig): Chat {
  const client = createSlackClient(config);
  return {
    name: 'slack',
    write: slackMessage,
    post: (target, message) => client.post(target, message as SlackMessage),
    update: (place, message) => client.update(place, message as SlackMessage),
    async remind({ place, target }, shown) {
      const reminder = slackReminder(shown);
      // A person gets a new message, a channel a reply to the existing one.
      if (channels.slack.chat.member.test(target)) await client.postAgain(target, reminder);
      else await client.reply(place, reminder);
    },
    clickType: 'application/x-www-form-urlencoded',
    async readClick({ header, body }, now) {
      const timestamp = header('x-slack-request-timestamp');
      const signature = header('x-slack-signature');
      if (!isFromSlack(config.signingSecret, { timestamp, signature, body }, now)) throw new Problem('unauthenticated');
      const click = readSlackClick(body);
      return click && { vote: click.vote, isOurs: () => isOurs(click.workspaces) };
    },
    writeAnswer: () => null,
    replyPrivately: ({ place: { channel }, member }, text) => client.sendEphemeral({ channel, member }, text),
  };

  /** In a shared channel, a member of another workspace does not count. */
  async function isOurs(workspaces: string[]): Promise<boolean> {
    const ours = await client.team().catch((cause: unknown) => {
      throw new Problem('unavailable', { detail: 'Try again later: Slack does not answer.', cause });
    });
    return workspaces.length > 0 && workspaces.every((id) => id === ours);
  }
}
