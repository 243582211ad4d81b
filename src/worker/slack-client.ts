/** What Slack refused or did not answer. It meets no caller: a message waits, and is tried again. */
export class SlackFailure extends Error {
  override readonly name = 'SlackFailure';
  /** Slack's own word, or what was found instead of an answer. */
  readonly word: string;
  /** Seconds that Slack asks for; null where it asks for none. */
  readonly retryAfter: number | null;

  constructor(word: string, retryAfter: number | null = null) {
    super(`Slack says ${word}`);
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
  /** Problem or not, Slack may have posted it where this fails. */
  post(address: string, message: SlackMessage): Promise<SlackPlace>;
  /** Answers a message in its thread, for the whole channel to see. */
  reply(place: SlackPlace, message: SlackMessage): Promise<void>;
  update(place: SlackPlace, message: SlackMessage): Promise<void>;
  /** Says something that one member alone sees. */
  whisper(to: { channel: string; member: string }, text: string): Promise<void>;
  /** The workspace the token is for. */
  team(): Promise<string>;
}

/** Milliseconds: far below how long a message is taken for. */
const patience = 10_000;

/** The four methods of Slack's Web API that are needed. It tries once: when to try again stands with the message. */
export function createSlackClient({ token, apiUrl }: { token: string; apiUrl: string }): SlackClient {
  let team: string | undefined;

  async function call(method: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const response = await fetch(new URL(method, apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      redirect: 'error', // the token goes nowhere else
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

/** Words of strangers make no links, and load nothing. */
const plain = { unfurl_links: false, unfurl_media: false };

/** Text as it is, in what Slack reads as mrkdwn: names mention no one and lead nowhere. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const secondsIn = (header: string | null): number => (/^\d{1,5}$/.test(header ?? '') ? Number(header) : 30);
