import { sendRequest } from '#platform/http/client/outgoing-request';
import { channels } from '../../contract/channels.ts';
import type { ChatPlace } from '../../store.ts';
import { connectionFault, DeliveryFailure, retryAfterMs } from '../../../channel/delivery-failure.ts';
import type { TeamsConfig } from './settings.ts';

/** Milliseconds before its end in which a token is no longer used. */
const tokenMarginMs = 300_000;

/** The methods of the Bot Connector that Assentry uses. Each call tries once; the message's row says when to try again. */
export function createTeamsClient(config: TeamsConfig, now: () => number, timeoutMs?: number) {
  const { appId, appSecret, tenant, serviceUrl, loginUrl } = config;
  let token: { value: string; until: number } | null = null;

  const send = async (url: URL, request: RequestInit): Promise<Answer> => {
    const response = await sendRequest(url, request, { timeoutMs }).catch((error: unknown) => {
      throw new DeliveryFailure(connectionFault(error));
    });
    if (response.ok) return response.json().catch(() => ({}));
    await response.body?.cancel();
    throw new DeliveryFailure(String(response.status), { wait: retryAfterMs(response.headers.get('retry-after')) });
  };

  async function readToken(): Promise<string> {
    if (token && token.until > now()) return token.value;
    const form = {
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: appSecret,
      scope: 'https://api.botframework.com/.default',
    };
    const answer = await send(new URL(`${tenant}/oauth2/v2.0/token`, loginUrl), {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token: value, expires_in: seconds } = answer;
    if (typeof value !== 'string') throw new DeliveryFailure('no-token');
    token = { value, until: now() + Number(seconds) * 1000 - tokenMarginMs };
    return value;
  }

  async function call(method: 'POST' | 'PUT', path: string, body: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${await readToken()}`, 'content-type': 'application/json' };
    const request = { method, headers, body: JSON.stringify(body) };
    return send(new URL(`v3/conversations${path}`, serviceUrl), request).catch((error: unknown) => {
      if (error instanceof DeliveryFailure && error.code === '401') token = null;
      throw error;
    });
  }

  const parties = { bot: { id: `28:${appId}` }, tenantId: tenant };
  return {
    /** Starts a thread in a room, or writes to a member; with an address of theirs, the id of the message. */
    async post(target: string, activity: object): Promise<ChatPlace> {
      if (!channels.msteams.chat.member.test(target)) {
        const channelData = { channel: { id: target }, tenant: { id: tenant } };
        const thread = await call('POST', '', { ...parties, isGroup: true, channelData, activity });
        return { channel: idOf(thread['id']), ts: idOf(thread['activityId']) };
      }
      const channelData = { tenant: { id: tenant } };
      const started = await call('POST', '', { ...parties, isGroup: false, channelData, members: [{ id: target }] });
      const channel = idOf(started['id']);
      const posted = await call('POST', activitiesOf(channel), activity);
      return { channel, ts: idOf(posted['id']) };
    },
    /** Posts into the thread or conversation of a message. */
    reply: async ({ channel }: ChatPlace, activity: object) =>
      void (await call('POST', activitiesOf(channel), activity).catch(endIfGone)),
    update: async ({ channel, ts }: ChatPlace, activity: object) =>
      void (await call('PUT', `${activitiesOf(channel)}/${encodeURIComponent(ts)}`, activity).catch(endIfGone)),
  };
}

type Answer = Record<string, unknown>;

/** The conversation or the message no longer exists. */
function endIfGone(error: unknown): never {
  const isGone = error instanceof DeliveryFailure && error.code === '404';
  throw isGone ? new DeliveryFailure(error.code, { isFinal: true }) : error;
}

const activitiesOf = (conversation: string): string => `/${encodeURIComponent(conversation)}/activities`;

function idOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new DeliveryFailure('no-id');
}
