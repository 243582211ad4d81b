import type { Command } from 'commander';
import type { Operator } from '#server/operator';
import { formatTime } from '../keys/command/key.ts';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

export function addWorkloadCommands(server: Command): void {
  const workload = server
    .command('workload')
    .description('let workloads ask as a server by tokens of their issuer, instead of a key');
  workload
    .command('add')
    .description('take tokens of this workload as a key of the server')
    .argument('<name>', 'the server')
    .requiredOption('--issuer <url>', 'the issuer, as ASSENTRY_WORKLOAD_ISSUERS names it')
    .requiredOption('--audience <text>', 'for whom the tokens must be')
    .requiredOption('--subject <text>', 'whose they must be; * stands for the end of a part between : and /')
    .option('--claim <name=text...>', 'other claims, each with the exact text that it must have')
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry server workload add payments --issuer https://kubernetes.default.svc --audience assentry --subject system:serviceaccount:payments:refunds',
      ),
    )
    .action(addOne);
  workload
    .command('list')
    .description('list every workload: as which server it asks, on which terms, and its last use')
    .option(...asJson)
    .action(listAll);
  workload
    .command('remove')
    .description('take no more tokens of a workload, at once and permanently')
    .argument('<id>', 'the 16 characters that "assentry server workload list" shows')
    .option(...asJson)
    .action(removeOne);
}

interface AddOptions {
  issuer: string;
  audience: string;
  subject: string;
  claim?: string[];
  json?: boolean;
}

async function addOne(name: string, { claim = [], json, ...terms }: AddOptions): Promise<void> {
  for (const text of claim) assertOption('--claim', /^[^=]+=./.test(text), 'Give a name, = and the text.');
  const claims = Object.fromEntries(claim.map((text) => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1)]));
  const { kid } = await withOperator((operator) => operator.workloads.add(name, { ...terms, claims }));
  printResult(json, { server: name, workload: kid }, [`${kid}: ${terms.subject} asks as ${name} from now on.`]);
}

async function listAll({ json }: { json?: boolean }): Promise<void> {
  const workloads = await withOperator((operator) => operator.workloads.list());
  const none =
    'There are no workloads yet. Add one: assentry server workload add NAME --issuer … --audience … --subject …';
  printResult(json, { workloads }, workloads.length === 0 ? [none] : workloads.map(formatWorkload));
}

async function removeOne(kid: string, { json }: { json?: boolean }): Promise<void> {
  assertOption('ID', /^[0-9a-f]{16}$/.test(kid), 'Give the 16 characters that "assentry server workload list" shows.');
  await withOperator((operator) => operator.workloads.remove(kid));
  printResult(json, { removed: kid }, [`${kid} asks nothing any more.`]);
}

type Stored = Awaited<ReturnType<Operator['workloads']['list']>>[number];

function formatWorkload({ kid, server, issuer, audience, subject, claims, lastUsedAt, removedAt }: Stored): string {
  const others = Object.entries(claims).map(([name, text]) => `${name}=${text}`);
  const used = lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`;
  const end = removedAt === null ? [] : [`removed ${formatTime(removedAt)}`];
  return `${kid} ${server.name}: ${[`${subject} of ${issuer} for ${audience}`, ...others, used, ...end].join('; ')}`;
}
