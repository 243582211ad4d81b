import { type Command, Option } from 'commander';
import { digests, type Digest, type NotificationSettings } from './contract/notification.ts';
import { isTimeZone } from '#platform/model/names';
import { clockTime, minutesOf } from '#platform/text/clock-time';
import { languages, type Language } from '#platform/text/language';
import { isId, type NotificationId } from '#platform/model/id';
import type { Operator } from '#server/operator';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';
import { deliveryFault, type DeliveryFault } from './contract/delivery-fault.ts';

export function addNotificationCommands(program: Command): void {
  const notification = program
    .command('notification')
    .description('notifications that were sent, and that could not be');
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
    .argument('<email>', 'their email address')
    .option(...asJson)
    .action(test);
  addSetCommand(notification);
}

function addSetCommand(notification: Command): void {
  notification
    .command('set')
    .description('change how a person is notified, and show it')
    .argument('<email>', 'their email address')
    .addOption(new Option('--email <on|off>', 'whether they get mails').choices(['on', 'off']))
    .addOption(new Option('--language <language>', 'the language of mails').choices(languages))
    .option('--time-zone <name>', 'their time zone')
    .option('--quiet <from-until>', 'hours without mails, in their time zone; "none" for none')
    .addOption(
      new Option('--digest <digest>', 'collect mails for each hour, or for nine in the morning').choices(digests),
    )
    .addOption(
      new Option('--urgent <on|off>', 'whether urgent requests come in quiet hours and before a digest').choices([
        'on',
        'off',
      ]),
    )
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry notification set ada@example.com --quiet 22:00-07:00 --time-zone Europe/Berlin --digest hourly',
      ),
    )
    .action(set);
}

interface SetOptions {
  email?: 'on' | 'off';
  language?: Language;
  timeZone?: string;
  quiet?: string;
  digest?: Digest;
  urgent?: 'on' | 'off';
  json?: boolean;
}

async function set(address: string, { email, quiet, urgent, json, ...rest }: SetOptions): Promise<void> {
  const { timeZone = 'UTC' } = rest;
  assertOption('--time-zone', isTimeZone(timeZone), 'Give a time zone such as Europe/Berlin.');
  const changes = {
    ...rest,
    ...(email !== undefined && { email: email === 'on' }),
    ...(urgent !== undefined && { urgent: urgent === 'on' }),
    ...(quiet !== undefined && { quiet: readQuiet(quiet) }),
  };
  assertOption('OPTIONS', Object.keys(changes).length > 0, 'Say what to change, such as --email off.');
  const settings = await withOperator((operator) => operator.notifications.set(address, changes));
  printResult(json, { settings }, [formatSettings(settings)]);
}

/** Quiet hours; null for none. */
function readQuiet(text: string): NotificationSettings['quiet'] {
  if (text === 'none') return null;
  const [from, until] = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.test(text)
    ? text.split('-').map(minutesOf)
    : [];
  const isRight = from !== undefined && until !== undefined && from !== until;
  assertOption('--quiet', isRight, 'Give two different times such as 22:00-07:00, or none.');
  return isRight ? { from, until } : null;
}

function formatSettings({ email, language, timeZone, quiet, digest, urgent }: NotificationSettings): string {
  const hours = quiet === null ? 'no quiet hours' : `quiet from ${clockTime(quiet.from)} to ${clockTime(quiet.until)}`;
  return `Mails ${email ? 'on' : 'off'}, language ${language}, ${hours} (${timeZone}), digest ${digest}, urgent requests ${urgent ? 'at once' : 'like all others'}.`;
}

type Shown = Awaited<ReturnType<Operator['notifications']['list']>>[number];

async function list({ failed = false, json }: { failed?: boolean; json?: boolean }): Promise<void> {
  const notifications = await withOperator((operator) => operator.notifications.list({ isFailed: failed }));
  const none = failed ? 'No notification has failed.' : 'No one has been notified yet.';
  printResult(json, { notifications }, notifications.length === 0 ? [none] : notifications.map(formatNotification));
}

function formatNotification({
  id,
  createdAt,
  channel,
  kind,
  to,
  elicitationId,
  state,
  failures,
  fault,
}: Shown): string {
  const about = elicitationId === null ? '' : ` about ${elicitationId}`;
  const advice = fault === null || state === 'sent' ? null : adviseDelivery(fault);
  const count = failures === 1 ? 'one failure' : `${failures} failures, the last one`;
  const faults = fault === null ? '' : `, ${count} ${fault}${advice === null ? '' : `: ${advice}`}`;
  return `${id} ${new Date(createdAt).toISOString()} ${channel} to ${to.name}: ${kind}${about}: ${state}${faults}`;
}

async function replay(ids: string[], { all = false, json }: { all?: boolean; json?: boolean }): Promise<void> {
  assertOption('ID', all !== ids.length > 0, 'Give ids, or --all.');
  for (const id of ids) {
    assertOption('ID', isId('notification', id), `Give ids that begin with ntf_: ${id} is none.`);
  }
  const chosen = all ? 'all' : (ids as NotificationId[]);
  const replayed = await withOperator((operator) => operator.notifications.replay(chosen));
  printResult(json, { replayed }, [`${replayed} will be sent again by the running nodes.`]);
}

async function test(email: string, { json }: { json?: boolean }): Promise<void> {
  const id = await withOperator((operator) => operator.notifications.test(email));
  printResult(json, { notification: id }, [`${id} is sent by the running nodes: see "assentry notification list".`]);
}

/** Advice for the code of a failed delivery; null for one without meaning for the operator. */
export function adviseDelivery(code: string): string | null {
  const fault = deliveryFault(code);
  return fault && advice[fault];
}

const advice: Record<DeliveryFault, string> = {
  address: 'if its network is yours, name it in ASSENTRY_WEBHOOK_NETWORKS at every node',
  expired: 'have its certificate renewed',
  'other-name': 'its certificate is for another name: correct the address',
  authority: 'name the authority of its certificate in NODE_EXTRA_CA_CERTS at every node',
  name: 'look whether the name is right, and whether nodes resolve it',
  unreachable: 'look whether it runs, and whether nodes reach it',
  credential: 'look whether it still takes this password, token or secret',
  gone: 'nothing is at this address any more: remove it, or add the right one',
  chat: 'give every node the settings of this chat',
};
