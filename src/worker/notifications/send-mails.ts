import type { Logger } from 'pino';
import type { Engine } from '../../engine/engine.ts';
import { showNotice } from '../../engine/notifications/show-notice.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import { sendTogether } from './send-together.ts';
import type { SmtpClient } from './smtp-client.ts';
import { writeMail } from './write-mail.ts';

export interface Mailer {
  engine: Engine;
  smtp: SmtpClient;
  log: Logger;
}

/** One mail for each person, with everything that is due for them. */
export const sendMails = ({ engine, smtp, log }: Mailer, due: TakenNotification[]): Promise<void> =>
  sendTogether({ engine, log }, due, {
    show: (notification) => showNotice(engine, notification),
    async send(shown, id) {
      const [{ email, language }] = shown;
      const notices = shown.map(({ notice }) => notice);
      await smtp.send({ to: email, id, ...writeMail(notices, language) });
      return 'sent';
    },
  });
