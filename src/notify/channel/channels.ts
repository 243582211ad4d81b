import type { NotificationChannel } from '../contract/notification.ts';
import type { MailServer } from '../mail/contract.ts';
import { createEmailChannel } from '../mail/channel/mail.ts';
import type { Channel, ChannelParts } from './channel.ts';
import { createPushChannel } from '../push/channel.ts';
import { createWebhookChannel } from '../webhooks/channel/webhook-channel.ts';

/** Channels of notifications at this node; null for one that is not configured. */
export const createChannels = (
  parts: ChannelParts,
  { smtp }: { smtp: MailServer | null },
): Record<NotificationChannel, Channel | null> => ({
  email: smtp && createEmailChannel(parts, smtp),
  push: createPushChannel(parts),
  webhook: createWebhookChannel(parts),
});
