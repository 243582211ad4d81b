import type { Command } from 'commander';
import { isId, type WebhookId } from '../model/id.ts';
import { asJson, examples, printResult, refuseWrong } from './terminal/output.ts';
import { withOperator } from './terminal/settings.ts';

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('programs that are told of requests');
  webhook
    .command('add')
    .description('tell the program at an https address of every request that waits for people')
    .argument('<url>', 'its address')
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

async function add(url: string, { json }: Options): Promise<void> {
  const { id, host, secret } = await withOperator((operator) => operator.webhooks.add(url));
  const lines = [
    `${id} tells ${host} of requests.`,
    'It verifies them with this secret, which is shown only now:',
    secret,
  ];
  printResult(json, { webhook: { id, host }, secret }, lines);
}

async function list({ json }: Options): Promise<void> {
  const webhooks = await withOperator((operator) => operator.webhooks.list());
  const lines = webhooks.map(({ id, host }) => `${id} ${host || 'sealed under a secret that is not given here'}`);
  printResult(json, { webhooks }, lines.length === 0 ? ['There are no webhooks.'] : lines);
}

async function test(text: string, { json }: Options): Promise<void> {
  const webhook = readId(text);
  const id = await withOperator((operator) => operator.webhooks.test(webhook));
  printResult(json, { id }, [`The test ${id} is due: "assentry notification list" shows whether it was sent.`]);
}

async function remove(text: string, { json }: Options): Promise<void> {
  const id = readId(text);
  await withOperator((operator) => operator.webhooks.remove(id));
  printResult(json, { id }, [`${id} is told nothing more.`]);
}

function readId(text: string): WebhookId {
  refuseWrong('ID', isId('webhook', text), 'Give an id as "assentry webhook list" shows it; it begins with whk_.');
  return text as WebhookId;
}
