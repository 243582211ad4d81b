import { signWebhook } from '../rules.ts';
import type { WriteCall, Call } from './webhooks.ts';
import { showEvent } from '../../verbs/notices.ts';
import type { WebhookFormat } from '../../chat/contract.ts';
import { writeChat } from '../../chat/channel/chats.ts';
import { writeTeamsCard } from '../../chat/msteams/msteams.ts';
import { writePagerDutyEvent } from '../../chat/pagerduty/pagerduty.ts';
import type { Channel, ChannelParts } from '../../channel/channel.ts';

/** Standard Webhooks: the event itself, signed. */
const writeStandard: WriteCall = (event, { secret }, { id, at }) => {
  const body = JSON.stringify({ ...event, data: event.data ?? {} });
  return { headers: signWebhook(secret ?? '', { id, at, body }), body };
};

/** Writer of each format of webhooks. */
export const writeCalls: Record<WebhookFormat, WriteCall> = {
  standard: writeStandard,
  chat: writeChat,
  msteams: writeTeamsCard,
  pagerduty: writePagerDutyEvent,
};

/** Channel to outside programs, each in the format of its webhook, and each alone: no receiver waits for another. */
export const createWebhookChannel = ({ engine, client }: ChannelParts): Channel<Call & { url: string }> => ({
  isBatched: false,
  async show(notification) {
    const shown = await showEvent(engine, notification);
    if (!shown) return null;
    const { event, target, traceparent } = shown;
    const call = writeCalls[target.format](event, target, { id: notification.id, at: engine.now() });
    return call && { ...call, headers: { ...call.headers, ...(traceparent && { traceparent }) }, url: target.url };
  },
  async send([{ url, headers, body }]) {
    await client.post(url, headers, body);
    return 'sent';
  },
});
