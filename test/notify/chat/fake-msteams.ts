import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import type { TeamsConfig } from '#notify/chat/msteams/msteams';

export interface Card {
  body: { type: string; id?: string; inlines?: { text: string }[] }[];
  actions: { type: string; verb?: string; title: string; data?: Record<string, unknown>; url?: string }[];
}

/** A message as it stands in Microsoft Teams. */
export interface PostedCard {
  conversation: string;
  id: string;
  /** A member, or a channel; empty for a reply. */
  target: string;
  summary: string;
  card: Card;
  updates: number;
}

interface Activity {
  summary: string;
  attachments: { content: Card }[];
}

type Refusal = { status: number; headers?: Record<string, string> };

export interface FakeTeams {
  config: TeamsConfig;
  posted: PostedCard[];
  /** Method and path of each call to the connector. */
  calls: string[];
  /** Every byte that came. */
  heard(): string;
  /** The next calls to the connector are answered so, and do nothing. */
  refuse(...refusals: Refusal[]): void;
  /** The next post stands, and its answer never comes. */
  silence(): void;
  /** Signs as the Bot Connector does, with the key that is endorsed for Teams unless another is named. */
  sign(claims?: JWTPayload, kid?: 'endorsed' | 'other-channel' | 'unpublished'): Promise<string>;
  about(id: string): PostedCard[];
  stop(): Promise<void>;
}

export const tenant = '7c1b6f9e-0000-4000-8000-000000000001';
const appId = '7c1b6f9e-0000-4000-8000-00000000000a';

/** As much of Microsoft's services as is used, over real HTTP: sign-in, keys and the Bot Connector. */
export async function startFakeTeams(): Promise<FakeTeams> {
  const posted: PostedCard[] = [];
  const calls: string[] = [];
  const refusals: Refusal[] = [];
  let [heard, isSilent, tokens] = ['', false, 0];
  const pairs = {
    endorsed: await generateKeyPair('RS256'),
    'other-channel': await generateKeyPair('RS256'),
    unpublished: await generateKeyPair('RS256'),
  };
  const keys = await Promise.all(
    (['endorsed', 'other-channel'] as const).map(async (kid) => ({
      ...(await exportJWK(pairs[kid].publicKey)),
      kid,
      endorsements: [kid === 'endorsed' ? 'msteams' : 'webchat'],
    })),
  );

  const post = (conversation: string, target: string, activity: Activity): PostedCard => {
    const id = String(1_700_000_000_000 + posted.length);
    const { summary, attachments } = activity;
    const message = { conversation, id, target, summary, card: attachments[0]!.content, updates: 0 };
    posted.push(message);
    return message;
  };

  function start(body: {
    isGroup: boolean;
    channelData: { channel?: { id: string } };
    members?: { id: string }[];
    activity: Activity;
  }) {
    const { isGroup, channelData, members, activity } = body;
    if (!isGroup) return { id: `a:${members?.[0]?.id}` };
    const room = channelData.channel?.id ?? '';
    const message = post('', room, activity);
    message.conversation = `${room};messageid=${message.id}`;
    return { id: message.conversation, activityId: message.id };
  }

  function answer(method: string, path: string, body: unknown): object | null {
    if (path === '/v3/conversations') return start(body as Parameters<typeof start>[0]);
    const [, conversation = '', id] =
      /^\/v3\/conversations\/([^/]+)\/activities(?:\/([^/]+))?$/.exec(path)?.map(decodeURIComponent) ?? [];
    if (method === 'POST')
      return { id: post(conversation, conversation.replace(/^a:|^19:.*/, ''), body as Activity).id };
    const message = posted.find((each) => each.conversation === conversation && each.id === id);
    if (!message) return null;
    const { summary, attachments } = body as Activity;
    return Object.assign(message, { summary, card: attachments[0]!.content, updates: message.updates + 1 }) && { id };
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    const body = await text(request);
    const reply = (status: number, content: object, headers = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
    if (path === '/keys') return reply(200, { keys });
    if (path === `/${tenant}/oauth2/v2.0/token`) {
      const form = Object.fromEntries(new URLSearchParams(body));
      const isRight = form['client_id'] === appId && form['client_secret'] === config.appSecret;
      return reply(isRight ? 200 : 401, isRight ? { access_token: `token-${++tokens}`, expires_in: 3600 } : {});
    }
    calls.push(`${method} ${path}`);
    heard += `${body}\n`;
    const refusal = refusals.shift();
    if (refusal) return reply(refusal.status, {}, refusal.headers);
    if (request.headers.authorization !== `Bearer token-${tokens}`) return reply(401, {});
    const content = answer(method, path, JSON.parse(body));
    if (isSilent && posted.length > 0) return void (isSilent = false);
    return reply(content ? 200 : 404, content ?? {});
  }

  const http = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const here = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const config: TeamsConfig = {
    appId,
    appSecret: 'a-secret-of-the-app',
    tenant,
    serviceUrl: here,
    loginUrl: here,
    keysUrl: `${here}keys`,
  };
  return {
    config,
    posted,
    calls,
    heard: () => heard,
    refuse: (...answers) => void refusals.push(...answers),
    silence: () => void (isSilent = true),
    sign: (claims = {}, kid = 'endorsed') =>
      new SignJWT({
        iss: 'https://api.botframework.com',
        aud: appId,
        exp: Math.floor(Date.now() / 1000) + 3600,
        serviceurl: connectorUrl,
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: kid === 'unpublished' ? 'endorsed' : kid })
        .sign(pairs[kid].privateKey),
    about: (id) => posted.filter(({ card }) => JSON.stringify(card).includes(id)),
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** The address by which the connector of the tests names itself. */
export const connectorUrl = 'https://smba.trafficmanager.net/emea/';

export const actionOf = ({ card }: Pick<PostedCard, 'card'>, verb: string) =>
  card.actions.find((action) => action.verb === verb);

/** All text that a card shows. */
export const textOf = ({ card }: Pick<PostedCard, 'card'>): string =>
  card.body.map(({ inlines = [] }) => inlines.map((part) => part.text).join('')).join('\n');

export interface CardClick {
  member: string;
  message: PostedCard;
  verb?: 'accept' | 'decline';
  reason?: string;
  /** In place of what Microsoft Teams would send. */
  activity?: Record<string, unknown>;
}

/** What the Bot Connector sends when a member clicks. */
export function clickOn({ member, message, verb = 'accept', reason, activity }: CardClick): Record<string, unknown> {
  const data = { ...actionOf(message, verb)?.data, ...(reason === undefined ? {} : { reason }) };
  return {
    type: 'invoke',
    name: 'adaptiveCard/action',
    id: `f:${randomUUID()}`,
    channelId: 'msteams',
    serviceUrl: connectorUrl,
    from: { id: `29:${member}`, name: 'someone', aadObjectId: member },
    conversation: { id: message.conversation, tenantId: tenant },
    channelData: { tenant: { id: tenant } },
    replyToId: message.id,
    value: { action: { type: 'Action.Execute', verb, title: verb, data }, trigger: 'manual' },
    ...activity,
  };
}

/** Sends it to a node with this token. */
export const deliverActivity = (url: string, activity: unknown, headers: Record<string, string>): Promise<Response> =>
  fetch(`${url}/chat/msteams/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(activity),
  });
