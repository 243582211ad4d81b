/** A refusal by Slack, or no answer. No caller sees it: the message waits and is sent again. */
export class SlackFailure extends Error {
  override readonly name = 'SlackFailure';
  /** Slack's error code, or a description of the wrong answer. */
  readonly word: string;
  /** Seconds that Slack asks to wait; null if it asks for none. */
  readonly retryAfter: number | null;

  constructor(word: string, retryAfter: number | null = null) {
    super(`Slack answered ${word}`);
    this.word = word;
    this.retryAfter = retryAfter;
  }
}

export interface SlackMessage {
  /** For notifications. */
  text: string;
  blocks: unknown[];
}

export interface SlackPlace {
  channel: string;
  ts: string;
}

export interface SlackClient {
  /** If this fails, Slack may still have posted the message. */
  post(address: string, message: SlackMessage): Promise<SlackPlace>;
  /** Replies to a message in its thread, visible to the whole channel. */
  reply(place: SlackPlace, message: SlackMessage): Promise<void>;
  update(place: SlackPlace, message: SlackMessage): Promise<void>;
  /** Posts a message that only one member can see. */
  whisper(to: { channel: string; member: string }, text: string): Promise<void>;
  /** The workspace the token is for. */
  team(): Promise<string>;
}

/** Milliseconds; much less than the lease of a message. */
const patience = 10_000;

/**
 * The methods of Slack's Web API that Assentry uses. Each call tries once; the message's row says when to try again.
 */
export function createSlackClient({ token, apiUrl }: { token: string; apiUrl: string }): SlackClient {
  let team: string | undefined;

  async function call(method: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const response = await fetch(new URL(method, apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      redirect: 'error', // the token is sent nowhere else
      signal: AbortSignal.timeout(patience),
    });
    if (response.status === 429) throw new SlackFailure('ratelimited', secondsIn(response.headers.get('retry-after')));
    const answer = (await response.json().catch(() => ({ error: `status ${response.status}` }))) as Answer;
    if (answer.ok !== true) throw new SlackFailure(String(answer.error));
    return answer;
  }

  return {
    async post(channel, message) {
      const posted = await call('chat.postMessage', { ...plain, ...message, channel });
      return { channel: String(posted['channel']), ts: String(posted['ts']) };
    },
    reply: async ({ channel, ts }, message) =>
      void (await call('chat.postMessage', { ...plain, ...message, channel, thread_ts: ts, reply_broadcast: true })),
    update: async ({ channel, ts }, message) => void (await call('chat.update', { ...plain, ...message, channel, ts })),
    whisper: async ({ channel, member }, text) =>
      void (await call('chat.postEphemeral', { channel, user: member, text: escapeText(text), ...plain })),
    async team() {
      return (team ??= String((await call('auth.test', {}))['team_id']));
    },
  };
}

interface Answer extends Record<string, unknown> {
  ok?: unknown;
  error?: unknown;
}

/** Text from outside makes no links and loads nothing. */
const plain = { unfurl_links: false, unfurl_media: false };

/** Escapes text for Slack's mrkdwn: names mention no one and link nowhere. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const secondsIn = (header: string | null): number => (/^\d{1,5}$/.test(header ?? '') ? Number(header) : 30);
