import { channels } from '../contract.ts';
import { Problem } from '#platform/model/problem';
import { type Chat, VoteButton } from '../channel/channel.ts';
import { z } from 'zod';
import { sha256 } from '#platform/crypto/digest';
import type { ChatVote } from '../verbs/vote.ts';
import { voteActions } from '#requests/asking/contract/elicitation';
import { parseJson } from '../../channel/channel.ts';
import { createHmac } from 'node:crypto';
import { equalBytes } from '#platform/crypto/random';
import type { Labelled, ShownInChat } from '../verbs/show.ts';
import { chatWords, type ChatWords } from '#messages/chat-words';
import { sendRequest } from '#platform/http/client/outgoing-request';
import type { ChatPlace } from '../store.ts';
import { connectionFault, DeliveryFailure, retryAfterMs } from '../../channel/delivery-failure.ts';
import { isPrivateAddress } from '#platform/model/names';
import { refuseVariable } from '#platform/config/config';
import type { Environment } from '#platform/config/env';

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

  /** Is it a member of our workspace? In a shared channel, a member of another one does not count. */
  async function isOurs(workspaces: string[]): Promise<boolean> {
    const ours = await client.team().catch((cause: unknown) => {
      throw new Problem('unavailable', { detail: 'Try again later: Slack does not answer.', cause });
    });
    return workspaces.length > 0 && workspaces.every((id) => id === ours);
  }
}

/** Used members of Slack's message about a click. */
const SlackClick = z.object({
  type: z.literal('block_actions'),
  /** Identifies this click. */
  trigger_id: z.string().min(1).max(200),
  /** Null if the app is installed for a whole organization. */
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string(), team_id: z.string().optional() }),
  container: z.object({ channel_id: z.string(), message_ts: z.string() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).min(1),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) })
    .nullish(),
});
type SlackClick = z.infer<typeof SlackClick>;

/** A click on a message; null if the form reports something else. `workspaces` are those of the member and the app. */
function readSlackClick(form: Buffer): { vote: ChatVote | null; workspaces: string[] } | null {
  const payload = new URLSearchParams(form.toString('utf8')).get('payload');
  const click = SlackClick.safeParse(parseJson(payload)).data;
  if (!click) return null;
  const workspaces = [click.team?.id, click.user.team_id].filter((id) => id !== undefined);
  return { vote: voteOf(click), workspaces };
}

function voteOf({ actions, user, container, state, trigger_id }: SlackClick): ChatVote | null {
  const [pressed] = actions;
  const action = voteActions.find((candidate) => candidate === pressed?.action_id);
  const button = VoteButton.safeParse(parseJson(pressed?.value ?? null)).data;
  if (!action || !button) return null;
  return {
    member: user.id,
    place: { channel: container.channel_id, ts: container.message_ts },
    id: button.id,
    digest: button.digest,
    action,
    comment: state?.values['reason']?.['reason']?.value?.trim() || undefined,
    delivery: sha256(trigger_id),
  };
}

export interface SignedDelivery {
  /** The headers `X-Slack-Request-Timestamp` and `X-Slack-Signature`. */
  timestamp: string | undefined;
  signature: string | undefined;
  /** Body as received, byte for byte. */
  body: Uint8Array;
}

/** Tolerated age of a delivery, or lead of its clock, in seconds. */
const window = 300;

/** Did Slack sign these bytes, within five minutes of `now` (milliseconds)? Slack's scheme v0. */
export function isFromSlack(secret: string, { timestamp, signature, body }: SignedDelivery, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp ?? '')) return false;
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  const isSigned = equalBytes(Buffer.from(`v0=${mac}`), Buffer.from(signature ?? ''));
  return isSigned && Math.abs(now / 1000 - Number(timestamp)) <= window;
}

/** A request as a Slack message. All text is in `rich_text`, which Slack takes literally. */
function slackMessage(shown: ShownInChat): SlackMessage {
  const { title, call, facts, deadlineAt, content, vote, note, url } = shown;
  const words = chatWords[shown.language];
  return {
    text: escapeText(`${title}: ${call}`),
    blocks: [
      { type: 'rich_text', elements: [line([bold(title)])] },
      {
        type: 'rich_text',
        elements: [...facts.map(factLine), ...(deadlineAt === null ? [] : [deadline(deadlineAt, words)])],
      },
      ...(content ?? []).map(contentBlock),
      ...(note === null ? [] : [{ type: 'rich_text', elements: [line([plain(note)])] }]),
      ...(vote ? [reasonBlock(words)] : []),
      {
        type: 'actions',
        elements: [...(vote ? voteButtons(JSON.stringify(vote), words) : []), openButton(url, words)],
      },
    ],
  };
}

/** A reminder: names, deadline, and the address to decide at. */
function slackReminder({ language, call, deadlineAt, url }: ShownInChat): SlackMessage {
  const words = chatWords[language];
  return {
    text: escapeText(`${words.reminder}: ${call}`),
    blocks: [
      {
        type: 'rich_text',
        elements: [
          line([bold(`${words.reminder}: `), plain(`${call}\n`)]),
          ...(deadlineAt === null ? [] : [deadline(deadlineAt, words)]),
        ],
      },
      { type: 'actions', elements: [openButton(url, words)] },
    ],
  };
}

const plain = (text: string) => ({ type: 'text', text });
const bold = (text: string) => ({ type: 'text', text, style: { bold: true } });
const line = (elements: object[]) => ({ type: 'rich_text_section', elements });

/** A line of facts; each line of a block needs a line end. */
const factLine = ({ label, text }: Labelled) => line([bold(`${label}: `), plain(`${text}\n`)]);

const deadline = (at: number, { labels }: ChatWords) =>
  line([
    bold(`${labels.until}: `),
    {
      type: 'date',
      timestamp: Math.floor(at / 1000),
      format: '{date_short_pretty} {time}',
      fallback: new Date(at).toISOString(),
    },
  ]);

/** Text from people and tools, with hidden characters made visible. */
const contentBlock = ({ label, text }: Labelled) => ({
  type: 'rich_text',
  elements: [line([bold(label)]), { type: 'rich_text_preformatted', elements: [plain(text === '' ? ' ' : text)] }],
});

/** Input for the reason, whose value a click on the button sends. */
const reasonBlock = ({ reasonToDecline }: ChatWords) => ({
  type: 'input',
  block_id: 'reason',
  optional: true,
  label: { type: 'plain_text', text: reasonToDecline },
  element: { type: 'plain_text_input', action_id: 'reason', multiline: true, max_length: 3000 },
});

const voteButtons = (value: string, words: ChatWords) => [
  { ...button('accept', words.accept), value },
  { ...button('decline', words.decline), value },
];

const openButton = (url: string, words: ChatWords) => ({ ...button('open', words.open), url });

const button = (action: string, text: string) => ({
  type: 'button',
  action_id: action,
  text: { type: 'plain_text', text },
});

interface SlackMessage {
  /** Text for notifications. */
  text: string;
  blocks: unknown[];
}

/** Client of Slack's Web API. Each call tries once; the message's row holds the time of the next try. */
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
    const posted = await call('chat.postMessage', { ...plainText, ...message, channel });
    return { channel: String(posted['channel']), ts: String(posted['ts']) };
  };
  return {
    /** If this fails, Slack may still have posted the message. */
    post,
    /** Posts to a person who already has a message. */
    postAgain: async (address: string, message: SlackMessage) => void (await post(address, message).catch(endIfGone)),
    /** Replies to a message in its thread, visible to the whole channel. */
    reply: async ({ channel, ts }: ChatPlace, message: SlackMessage) => {
      const thread = { thread_ts: ts, reply_broadcast: true };
      await call('chat.postMessage', { ...plainText, ...message, channel, ...thread }).catch(endIfGone);
    },
    update: async ({ channel, ts }: ChatPlace, message: SlackMessage) =>
      void (await call('chat.update', { ...plainText, ...message, channel, ts }).catch(endIfGone)),
    /** Posts a message that only one member can see. */
    sendEphemeral: async ({ channel, member }: { channel: string; member: string }, text: string) =>
      void (await call('chat.postEphemeral', { channel, user: member, text: escapeText(text), ...plainText })),
    /** Workspace of the token. */
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

/** Slack's code; the rest of its answer is not used. */
const faultOf = ({ error }: Answer): string => (/^\w{1,80}$/.test(String(error)) ? String(error) : 'unknown');

interface Answer extends Record<string, unknown> {
  ok?: unknown;
  error?: unknown;
}

/** Options so that outside text makes no links and loads nothing. */
const plainText = { unfurl_links: false, unfurl_media: false };

/** Escapes text for Slack's mrkdwn: names mention no one and link nowhere. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Default wait if the platform names none. */
const defaultWaitMs = 30_000;

export interface SlackConfig {
  /** The bot's token. */
  token: string;
  /** The secret with which Slack signs its requests. */
  signingSecret: string;
  /** The address of Slack's Web API, with a slash at the end. */
  apiUrl: string;
}

const slackApi = 'https://slack.com/api/';

/** Both secrets, or null if there are none; problem `config-invalid` repeats neither. */
export function readSlack(environment: Environment): SlackConfig | null {
  const { ASSENTRY_SLACK_TOKEN: token, ASSENTRY_SLACK_SIGNING_SECRET: signingSecret } = environment;
  const apiUrl = readApiUrl(environment);
  if (token === undefined && signingSecret === undefined) return null;
  if (!/^xoxb-[\w-]{8,250}$/.test(token ?? '')) {
    const allowed = 'give the bot token of your Slack app, which begins with xoxb-, or neither it nor a signing secret';
    throw refuseVariable('ASSENTRY_SLACK_TOKEN', foundOf(token), allowed);
  }
  if (!/^[A-Za-z0-9]{16,128}$/.test(signingSecret ?? '')) {
    const allowed =
      'give the signing secret of your Slack app, 16 to 128 letters and digits, or neither it nor a token';
    throw refuseVariable('ASSENTRY_SLACK_SIGNING_SECRET', foundOf(signingSecret), allowed);
  }
  return { token: token ?? '', signingSecret: signingSecret ?? '', apiUrl };
}

const foundOf = (text: string | undefined): string =>
  text === undefined ? 'nothing' : `something of another form (not shown), of ${text.length} characters`;

/** Address of the API, which gets the token and so must use TLS or be on this machine. */
function readApiUrl({ ASSENTRY_SLACK_API_URL: text = slackApi }: Environment): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && isPrivateAddress(text) && url.href === `${url.origin}${url.pathname}`)
    return url.href.replace(/\/*$/, '/');
  const finding = text.includes('@') ? 'something with an @, which may hold a password' : JSON.stringify(text);
  throw refuseVariable('ASSENTRY_SLACK_API_URL', finding, `give an https address such as ${slackApi}`);
}
