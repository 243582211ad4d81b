import type { Logger } from 'pino';
import type { Engine } from '../../engine/engine.ts';
import { showNotice, type AddressedNotice } from '../../engine/notifications/show-notice.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import { MailFailure, type SmtpClient } from './smtp-client.ts';
import { writeMail } from './write-mail.ts';

export interface Mailer {
  engine: Engine;
  smtp: SmtpClient;
  log: Logger;
}

/** Milliseconds for which a node holds what it took; after that others may send it. */
const lease = 120_000;
/** Notifications taken together. */
const together = 20;
/** Milliseconds. */
const longestWait = 3_600_000;
/** About half a day of failures in a row. */
const mostFailures = 24;

/**
 * Sends due mails. One node at a time takes a notification. If it dies in between, the notification is due again and
 * the same mail may arrive twice, under the same name.
 */
export async function sendMails(mailer: Mailer): Promise<void> {
  const { engine } = mailer;
  for (let count = together; count === together;) {
    const now = engine.now();
    const due = await engine.notifications.take('email', now, now + lease, together);
    const targets = [...new Set(due.map(({ target }) => target))];
    await Promise.all(
      targets.map((target) =>
        sendTo(
          mailer,
          due.filter((notification) => notification.target === target),
        ),
      ),
    );
    count = due.length;
  }
}

interface Applying extends AddressedNotice {
  notification: TakenNotification;
}

/** One mail with everything that is due for this person. */
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

/** The server's refusal of this mail or address stays a refusal; everything else may pass. */
async function postpone({ engine, log }: Mailer, notification: TakenNotification, error: unknown): Promise<void> {
  if (!(error instanceof MailFailure)) throw error;
  const { code, isFinal } = error;
  const now = engine.now();
  const isGivenUp = isFinal || notification.failures + 1 >= mostFailures;
  const line = { notification: notification.id, code };
  if (isGivenUp) log.error(line, 'a mail was given up: see "assentry notification list --failed"');
  else log.warn(line, 'could not send a mail; will try again');
  const wait = Math.min(1000 * 2 ** notification.failures, longestWait);
  await engine.notifications.postpone(notification, code, isGivenUp ? null : now + wait, now);
}
