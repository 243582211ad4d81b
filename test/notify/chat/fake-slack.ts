import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SlackConfig } from '#notify/chat/slack/slack';

export interface Block {
  type: string;
  elements?: { type: string; action_id?: string; value?: string; url?: string; elements?: unknown[] }[];
  [key: string]: unknown;
}

/** A message as it stands in Slack, with what it said before. */
export interface Posted {
  channel: string;
  ts: string;
  /** What was asked for: a channel, or a member. */
  address: string;
  text: string;
  blocks: Block[];
  updates: number;
  /** The message it answers, and whether all of the channel see it. */
  thread?: { ts: string; isBroadcast: boolean };
}

export interface Whisper {
  channel: string;
  user: string;
  text: string;
}

interface Body {
  channel: string;
  ts: string;
  user: string;
  text: string;
  blocks: Block[];
  thread_ts?: string;
  reply_broadcast?: boolean;
}

type Answer = Record<string, unknown> & { status?: number; headers?: Record<string, string> };

export interface FakeSlack {
  config: SlackConfig;
  team: string;
  /** In the order of posting. */
  posted: Posted[];
  whispers: Whisper[];
  /** Every byte that came. */
  heard(): string;
  /** How often a method was called. */
  calls(method: string): number;
  /** The next calls of a method are answered so, in this order, and do nothing. */
  refuse(method: string, ...answers: Answer[]): void;
  /** The next post stands, and its answer never comes. */
  silence(): void;
  about(id: string): Posted[];
  stop(): Promise<void>;
}

/** As much of Slack's Web API as is used, over real HTTP. */
export async function startFakeSlack(): Promise<FakeSlack> {
  const team = 'T0TEST';
  const posted: Posted[] = [];
  const whispers: Whisper[] = [];
  const counts = new Map<string, number>();
  const refusals = new Map<string, Answer[]>();
  let heard = '';
  let isSilent = false;

  const methods: Record<string, (body: Body) => Answer> = {
    'auth.test': () => ({ ok: true, team_id: team }),
    'chat.postMessage': ({ channel: address, text, blocks, thread_ts: parent, reply_broadcast: isBroadcast }) => {
      const ts = `${posted.length + 1}.000100`;
      const channel = /^[UW]/.test(address) ? `D${address.slice(1)}` : address.replace('#', 'C');
      const thread = parent !== undefined && { thread: { ts: parent, isBroadcast: isBroadcast === true } };
      posted.push({ channel, ts, address, text, blocks, updates: 0, ...thread });
      return { ok: true, channel, ts };
    },
    'chat.update': ({ channel, ts, text, blocks }) => {
      const message = posted.find((item) => item.channel === channel && item.ts === ts);
      if (!message) return { ok: false, error: 'message_not_found' };
      Object.assign(message, { text, blocks, updates: message.updates + 1 });
      return { ok: true, channel, ts };
    },
    'chat.postEphemeral': (body) => {
      whispers.push(body);
      return { ok: true };
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.url?.replace('/api/', '') ?? '';
    const body = await text(request);
    heard += `${method} ${body}\n`;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const isAuthorized = request.headers.authorization === `Bearer ${config.token}`;
    const scripted = refusals.get(method)?.shift() ?? (isAuthorized ? null : { ok: false, error: 'invalid_auth' });
    const { status = 200, headers = {}, ...answer } = scripted ?? methods[method]?.(JSON.parse(body) as Body) ?? {};
    if (isSilent && method === 'chat.postMessage') return void (isSilent = false);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
  }

  const http = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const config = {
    token: 'xoxb-0000-test',
    signingSecret: '8f742231b10e8888abcd99yyyzzz85a5',
    apiUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/api/`,
  };
  return {
    config,
    team,
    posted,
    whispers,
    heard: () => heard,
    calls: (method) => counts.get(method) ?? 0,
    refuse: (method, ...answers) => void refusals.set(method, answers),
    silence: () => void (isSilent = true),
    about: (id) => posted.filter(({ blocks }) => JSON.stringify(blocks).includes(id)),
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

export type Pressed = 'accept' | 'decline' | 'open';

/** The button of a message, with what it brings back; undefined where there is none. */
export const buttonOf = ({ blocks }: Pick<Posted, 'blocks'>, action: Pressed) =>
  blocks.flatMap(({ elements }) => elements ?? []).find((item) => item.action_id === action);

export interface Click {
  member: string;
  message: Pick<Posted, 'channel' | 'ts' | 'blocks'>;
  action?: Pressed;
  reason?: string;
  /** In place of what the button brings back. */
  value?: string;
  /** In place of what Slack would say. */
  payload?: Record<string, unknown>;
}

/** What Slack sends when a member clicks. */
export function clickOf({ team }: Pick<FakeSlack, 'team'>, click: Click): string {
  const { member, message, action = 'accept', reason = null, value = buttonOf(message, action)?.value } = click;
  const payload = {
    type: 'block_actions',
    trigger_id: randomUUID(),
    api_app_id: 'A0TEST',
    team: { id: team, domain: 'test' },
    user: { id: member, name: 'someone', team_id: team },
    container: { type: 'message', channel_id: message.channel, message_ts: message.ts },
    actions: [{ type: 'button', action_id: action, block_id: 'b', value, action_ts: '1.2' }],
    state: { values: { reason: { reason: { type: 'plain_text_input', value: reason } } } },
    ...click.payload,
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

/** Sends it to a node, signed as Slack signs. */
export function deliver(
  url: string,
  { signingSecret }: Pick<SlackConfig, 'signingSecret'>,
  body: string,
  { at = Date.now(), headers = {} }: { at?: number; headers?: Record<string, string> } = {},
): Promise<Response> {
  const timestamp = String(Math.floor(at / 1000));
  const mac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return fetch(`${url}/chat/slack/interactions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${mac}`,
      ...headers,
    },
    body,
  });
}
