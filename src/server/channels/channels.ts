import type { NotificationChannel } from '#protocol/model/notifications/notification';
import type { MailServer } from '#protocol/model/notifications/mail-server';
import { createEmailChannel } from './email/email.ts';
import type { Channel, ChannelParts } from './parts/channel.ts';
import { createPushChannel } from './push/push.ts';
import { createWebhookChannel } from './webhook-channel.ts';

/** The channels of notifications that this node sends on; null for one that is not set up. */
export const createChannels = (
  parts: ChannelParts,
  { smtp }: { smtp: MailServer | null },
): Record<NotificationChannel, Channel | null> => ({
  email: smtp && createEmailChannel(parts, smtp),
  push: createPushChannel(parts),
  webhook: createWebhookChannel(parts),
});
