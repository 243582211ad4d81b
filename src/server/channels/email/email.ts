import { showNotice, type AddressedNotice } from '../../engine/notifications/show-notice.ts';
import type { MailServer } from '#protocol/model/notifications/mail-server';
import type { Channel, ChannelParts } from '../parts/channel.ts';
import { createSmtpClient } from './smtp-client.ts';
import { writeMail } from './write-mail.ts';

/** One mail for each person, with everything that is due for them. */
export function createEmailChannel(
  { engine }: Pick<ChannelParts, 'engine'>,
  server: MailServer,
): Channel<AddressedNotice> {
  const smtp = createSmtpClient(server);
  return {
    isBatched: true,
    show: (notification) => showNotice(engine, notification),
    async send(shown, id) {
      const [{ email, language }] = shown;
      const notices = shown.map(({ notice }) => notice);
      await smtp.send({ to: email, id, ...writeMail(notices, language) });
      return 'sent';
    },
    close: smtp.close,
  };
}
