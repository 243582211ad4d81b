import { encryptPush } from '../rules/push-message.ts';
import { pushKeys } from '../verbs.ts';
import { showPush, type PushedNotice } from '../../verbs/notices/show-notice.ts';
import type { DeviceId } from '#platform/model/id';
import type { Channel, ChannelParts } from '../../channel/channel/channel.ts';
import { DeliveryFailure } from '../../channel/delivery-failure.ts';
import { writePush } from './write-push.ts';

/** One message for each browser, with everything that is due for it. A browser that its push service no longer has is forgotten. */
export const createPushChannel = ({ engine, client }: ChannelParts): Channel<PushedNotice & { device: DeviceId }> => ({
  isBatched: true,
  async show(notification) {
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

/** RFC 8030: the push service has no such browser, or no longer. */
const isGone = (error: unknown): boolean =>
  error instanceof DeliveryFailure && (error.code === '404' || error.code === '410');

/** Whom a push service can turn to. A console without TLS has no address that it takes. */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@assentry.invalid';
