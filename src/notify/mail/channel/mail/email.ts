import { showNotice, type AddressedNotice } from '../../../verbs/notices/show-notice.ts';
import type { MailServer } from '../../contract.ts';
import type { Channel, ChannelParts } from '../../../channel/channel/channel.ts';
import { createSmtpClient } from './smtp-client.ts';
import { writeMail } from './write-mail.ts';

/** One mail for each person, with everything that is due for them; to an address that they had before, another one. */
export function createEmailChannel(
  { engine }: Pick<ChannelParts, 'engine'>,
  server: MailServer,
): Channel<AddressedNotice> {
  const smtp = createSmtpClient(server);
  return {
    isBatched: true,
    show: (notification) => showNotice(engine, notification),
    async send(shown, id) {
      const [{ language }] = shown;
      for (const [at, to] of [...new Set(shown.map(({ email }) => email))].entries()) {
        const notices = shown.filter(({ email }) => email === to).map(({ notice }) => notice);
        await smtp.send({ to, id: at === 0 ? id : `${id}-${at}`, ...writeMail(notices, language) });
      }
      return 'sent';
    },
    close: smtp.close,
  };
}
