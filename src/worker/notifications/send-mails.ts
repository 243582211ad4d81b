import type { Logger } from 'pino';
import type { Engine } from '../../engine/engine.ts';
import { showNotice, type AddressedNotice } from '../../engine/notifications/show-notice.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import { postpone } from './postpone.ts';
import type { SmtpClient } from './smtp-client.ts';
import { writeMail } from './write-mail.ts';

export interface Mailer {
  engine: Engine;
  smtp: SmtpClient;
  log: Logger;
}

/** One mail for each person, with everything that is due for them. */
export async function sendMails(mailer: Mailer, due: TakenNotification[]): Promise<void> {
  const targets = [...new Set(due.map(({ target }) => target))];
  await Promise.all(
    targets.map((target) =>
      sendTo(
        mailer,
        due.filter((notification) => notification.target === target),
      ),
    ),
  );
}

interface Applying extends AddressedNotice {
  notification: TakenNotification;
}

async function sendTo(mailer: Mailer, due: TakenNotification[]): Promise<void> {
  const { engine, smtp } = mailer;
  const applying: Applying[] = [];
  for (const notification of due) {
    const shown = await showNotice(engine, notification);
    if (shown) applying.push({ notification, ...shown });
    else await engine.notifications.settle(notification, 'moot', engine.now());
  }
  const [first] = applying;
  if (!first) return;
  const all = applying.map(({ notification }) => notification);
  try {
    const mail = writeMail(
      applying.map(({ notice }) => notice),
      first.language,
    );
    await smtp.send({ to: first.email, id: first.notification.id, ...mail });
    await Promise.all(all.map((notification) => engine.notifications.settle(notification, 'sent', engine.now())));
  } catch (error) {
    await Promise.all(all.map((notification) => postpone(mailer, notification, error)));
  }
}
