import type { Command } from 'commander';
import { isId, type NotificationId } from '../model/id.ts';
import type { Operator } from '../installation/operator.ts';
import { asJson, examples, printResult, refuseWrong } from './terminal/output.ts';
import { withOperator } from './terminal/settings.ts';

export function addNotificationCommands(program: Command): void {
  const notification = program.command('notification').description('what people were told, and what could not be sent');
  notification
    .command('list')
    .description('list the latest notifications, newest first')
    .option('--failed', 'only those that were given up')
    .option(...asJson)
    .action(list);
  notification
    .command('replay')
    .description('send notifications again that were given up; what no longer applies is not sent')
    .argument('[id...]', 'the ids that "assentry notification list --failed" shows')
    .option('--all', 'all that were given up')
    .option(...asJson)
    .addHelpText(...examples('assentry notification replay --all'))
    .action(replay);
  notification
    .command('test')
    .description('send a test to a person; running nodes send it')
    .argument('<email>', 'their e-mail address')
    .option(...asJson)
    .action(test);
}

type Shown = Awaited<ReturnType<Operator['notifications']['list']>>[number];

async function list({ failed = false, json }: { failed?: boolean; json?: boolean }): Promise<void> {
  const notifications = await withOperator((operator) => operator.notifications.list({ isFailed: failed }));
  const none = failed ? 'No notification has failed.' : 'No one has been notified yet.';
  printResult(json, { notifications }, notifications.length === 0 ? [none] : notifications.map(sayNotification));
}

function sayNotification({ id, createdAt, channel, kind, to, elicitationId, state, failures, fault }: Shown): string {
  const about = elicitationId === null ? '' : ` about ${elicitationId}`;
  const faults = fault === null ? '' : `, ${failures} failures, the last one ${fault}`;
  return `${id} ${new Date(createdAt).toISOString()} ${channel} to ${to.name}: ${kind}${about}: ${state}${faults}`;
}

async function replay(ids: string[], { all = false, json }: { all?: boolean; json?: boolean }): Promise<void> {
  refuseWrong('ID', all !== ids.length > 0, 'Give ids, or --all.');
  for (const id of ids) {
    refuseWrong('ID', isId('notification', id), `Give ids that begin with ntf_: ${id} is none.`);
  }
  const chosen = all ? 'all' : (ids as NotificationId[]);
  const replayed = await withOperator((operator) => operator.notifications.replay(chosen));
  printResult(json, { replayed }, [`${replayed} will be sent again by the running nodes.`]);
}

async function test(email: string, { json }: { json?: boolean }): Promise<void> {
  const id = await withOperator((operator) => operator.notifications.test(email));
  printResult(json, { notification: id }, [`${id} is sent by the running nodes: see "assentry notification list".`]);
}
