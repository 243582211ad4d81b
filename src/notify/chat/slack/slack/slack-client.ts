import { sendRequest } from '#platform/http/client/outgoing-request';
import type { ChatPlace } from '../../store.ts';
import type { SlackConfig } from './settings.ts';
import { connectionFault, DeliveryFailure, retryAfterMs } from '../../../channel/delivery-failure.ts';

export interface SlackMessage {
  /** For notifications. */
  text: string;
  blocks: unknown[];
}

/**
 * The methods of Slack's Web API that Assentry uses. Each call tries once; the message's row says when to try again.
 */
export function createSlackClient({ token, apiUrl }: Pick<SlackConfig, 'token' | 'apiUrl'>, timeoutMs?: number) {
  let team: string | undefined;

  async function call(method: string, body: Record<string, unknown>): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await sendRequest(new URL(method, apiUrl), request, { timeoutMs }).catch((error: unknown) => {
      throw new DeliveryFailure(connectionFault(error));
    });
    if (response.status === 429) {
      const wait = retryAfterMs(response.headers.get('retry-after'), defaultWaitMs);
      throw new DeliveryFailure('ratelimited', { wait });
    }
    const answer: Answer = await response.json().catch(() => ({ error: `status_${response.status}` }));
    if (answer.ok !== true) throw new DeliveryFailure(faultOf(answer));
    return answer;
  }

  const post = async (channel: string, message: SlackMessage): Promise<ChatPlace> => {
    const posted = await call('chat.postMessage', { ...plain, ...message, channel });
    return { channel: String(posted['channel']), ts: String(posted['ts']) };
  };
  return {
    /** If this fails, Slack may still have posted the message. */
    post,
    /** Posts to someone who has a message already. */
    postAgain: async (address: string, message: SlackMessage) => void (await post(address, message).catch(endIfGone)),
    /** Replies to a message in its thread, visible to the whole channel. */
    reply: async ({ channel, ts }: ChatPlace, message: SlackMessage) => {
      const thread = { thread_ts: ts, reply_broadcast: true };
      await call('chat.postMessage', { ...plain, ...message, channel, ...thread }).catch(endIfGone);
    },
    update: async ({ channel, ts }: ChatPlace, message: SlackMessage) =>
      void (await call('chat.update', { ...plain, ...message, channel, ts }).catch(endIfGone)),
    /** Posts a message that only one member can see. */
    sendEphemeral: async ({ channel, member }: { channel: string; member: string }, text: string) =>
      void (await call('chat.postEphemeral', { channel, user: member, text: escapeText(text), ...plain })),
    /** The workspace the token is for. */
    async team(): Promise<string> {
      return (team ??= String((await call('auth.test', {}))['team_id']));
    },
  };
}

/** Slack's codes for a message that no longer exists. */
const gone = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'channel_not_found',
  'thread_not_found',
  'cannot_reply_to_message',
]);

function endIfGone(error: unknown): never {
  if (error instanceof DeliveryFailure && gone.has(error.code))
    throw new DeliveryFailure(error.code, { isFinal: true });
  throw error;
}

/** Slack's code; nothing else of its answer. */
const faultOf = ({ error }: Answer): string => (/^\w{1,80}$/.test(String(error)) ? String(error) : 'unknown');

interface Answer extends Record<string, unknown> {
  ok?: unknown;
  error?: unknown;
}

/** Text from outside makes no links and loads nothing. */
const plain = { unfurl_links: false, unfurl_media: false };

/** Escapes text for Slack's mrkdwn: names mention no one and link nowhere. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** How long to wait if the platform does not say. */
const defaultWaitMs = 30_000;
