import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';

/** Milliseconds after which an undelivered mail no longer counts as a fault of the mail server. */
const lookBackMs = 86_400_000;

/** Warns operators while the mail server takes no mail: in the log once, at `/readyz` until it takes one. */
export async function warnOfMails(
  { notifications, health, now, sendsMails }: Pick<Engine, 'notifications' | 'health' | 'now' | 'sendsMails'>,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  if (!sendsMails) return;
  const { mails, since, fault } = await notifications.mailFaults(now() - lookBackMs);
  if (since === null || fault === null) return health.clear('mails-fail');
  if (!health.warn({ code: 'mails-fail', mails, since, fault })) return;
  log.error({ mails, since: new Date(since).toISOString(), fault }, 'no mail arrives: look at the mail server');
}
