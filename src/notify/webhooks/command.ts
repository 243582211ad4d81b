import { text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { webhookFormats } from '../chat/contract.ts';
import { isId, type WebhookId } from '#platform/model/id';
import type { WebhookManner } from './contract/webhook.ts';
import { languages } from '#platform/text/language';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('programs that get a message for each request');
  webhook
    .command('add')
    .description('tell the program at an https address of every request that waits for people')
    .argument('<url>', 'its address')
    .addOption(new Option('--format <format>', 'what it understands').choices(webhookFormats).default('standard'))
    .addOption(new Option('--language <language>', 'the language of its sentences').choices(languages).default('en'))
    .option('--key-stdin', 'read the integration key of PagerDuty from standard input')
    .option(...asJson)
    .addHelpText(...examples('assentry webhook add https://hooks.example.com/assentry'))
    .action(add);
  webhook
    .command('list')
    .description('list the webhooks')
    .option(...asJson)
    .action(list);
  webhook
    .command('test')
    .description('send a test; running nodes send it')
    .argument('<id>', 'the id that "assentry webhook list" shows')
    .option(...asJson)
    .action(test);
  webhook
    .command('remove')
    .description('tell a program nothing more')
    .argument('<id>', 'the id that "assentry webhook list" shows')
    .option(...asJson)
    .action(remove);
}

type Options = { json?: boolean };

type AddOptions = Options & WebhookManner & { keyStdin?: boolean };

async function add(url: string, { json, format, language, keyStdin }: AddOptions): Promise<void> {
  const key = keyStdin ? (await text(process.stdin)).trim() : undefined;
  const manner = { format, language, key };
  const { id, host, secret } = await withOperator((operator) => operator.webhooks.add(url, manner));
  const verifying = secret === null ? [] : ['It verifies them with this secret, which is shown only now:', secret];
  printResult(json, { webhook: { id, host, format }, secret }, [`${id} sends requests to ${host}.`, ...verifying]);
}

async function list({ json }: Options): Promise<void> {
  const webhooks = await withOperator((operator) => operator.webhooks.list());
  const lines = webhooks.map(
    ({ id, host, format }) => `${id} ${format ? `${host} ${format}` : 'sealed under a secret that is not given here'}`,
  );
  printResult(json, { webhooks }, lines.length === 0 ? ['There are no webhooks.'] : lines);
}

async function test(webhookId: string, { json }: Options): Promise<void> {
  const webhook = readId(webhookId);
  const id = await withOperator((operator) => operator.webhooks.test(webhook));
  printResult(json, { id }, [`The test ${id} is due: "assentry notification list" shows whether it was sent.`]);
}

async function remove(webhookId: string, { json }: Options): Promise<void> {
  const id = readId(webhookId);
  await withOperator((operator) => operator.webhooks.remove(id));
  printResult(json, { id }, [`Nothing more is sent to ${id}.`]);
}

function readId(id: string): WebhookId {
  assertOption('ID', isId('webhook', id), 'Give an id as "assentry webhook list" shows it; it begins with whk_.');
  return id as WebhookId;
}
