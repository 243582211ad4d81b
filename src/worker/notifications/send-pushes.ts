import type { Logger } from 'pino';
import { encryptPush } from '../../crypto/push/push-message.ts';
import { pushKeys } from '../../engine/notifications/devices.ts';
import type { Engine } from '../../engine/engine.ts';
import { showPush } from '../../engine/notifications/show-notice.ts';
import type { DeviceId } from '../../model/id.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { sendTogether } from './send-together.ts';
import type { WebhookClient } from './webhook-client.ts';
import { writePush } from './write-push.ts';

export interface Pusher {
  engine: Engine;
  client: WebhookClient;
  log: Logger;
}

/** One message for each browser, with everything that is due for it. A browser that its push service no longer knows is forgotten. */
export const sendPushes = ({ engine, client, log }: Pusher, due: TakenNotification[]): Promise<void> =>
  sendTogether({ engine, log }, due, {
    show: async (notification) => {
      const shown = await showPush(engine, notification);
      return shown && { ...shown, device: notification.target as DeviceId };
    },
    async send(shown) {
      const [{ to, language, device }] = shown;
      const sender = { ...(await pushKeys(engine)), subject: subjectOf(engine.publicUrl()) };
      const { payload, seconds } = writePush(
        shown.map(({ notice }) => notice),
        language,
        engine.now(),
      );
      const { headers, body } = encryptPush(to, { payload, seconds, sender });
      return client.post(to.endpoint, headers, body).then(
        () => 'sent' as const,
        async (error: unknown) => {
          if (!isGone(error)) throw error;
          await engine.devices.forget(device);
          return 'moot' as const;
        },
      );
    },
  });

/** RFC 8030: the push service knows no such browser, or no longer. */
const isGone = (error: unknown): boolean =>
  error instanceof DeliveryFailure && (error.code === '404' || error.code === '410');

/** Whom a push service can turn to. A console without TLS has no address that it takes. */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@assentry.invalid';
