import type { Logger } from 'pino';
import type { Engine } from '../../engine/engine.ts';
import { createPlanner } from '../../engine/notifications/plan-notifications.ts';
import type { MailServer } from '../../model/notifications/mail-server.ts';
import { createLoop, type Loop } from '../loop.ts';
import { sendMails } from './send-mails.ts';
import { createSmtpClient } from './smtp-client.ts';

/** Milliseconds between two looks. */
const every = 1000;

/** Plans what people are told, and sends it by mail, while the node runs. */
export function createNotificationLoops(engine: Engine, node: string, smtp: MailServer, log: Logger): Loop[] {
  const client = createSmtpClient(smtp);
  const sending = createLoop(every, log, 'mails', () => sendMails({ engine, smtp: client, log }));
  const stop = async (): Promise<void> => {
    await sending.stop();
    client.close();
  };
  return [createLoop(every, log, 'the plan of notifications', createPlanner(engine, node)), { ...sending, stop }];
}
