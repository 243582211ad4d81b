import type { Command } from 'commander';
import type { Operator } from '#server/operator';
import { isId, type CredentialId } from '#platform/model/id';
import { asJson, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';

export function addCredentialCommands(program: Command): void {
  const credential = program
    .command('credential')
    .description('what people have entered and connected for servers; secrets are never shown');
  credential
    .command('list')
    .description('list whose they are, for which server, and since when')
    .option(...asJson)
    .action(list);
  credential
    .command('remove')
    .description('remove the credentials of a person for a server')
    .argument('<id>', 'the id that "assentry credential list" shows')
    .option(...asJson)
    .action(remove);
}

type Options = { json?: boolean };

type Shown = Awaited<ReturnType<Operator['credentials']['list']>>[number];

async function list({ json }: Options): Promise<void> {
  const credentials = await withOperator((operator) => operator.credentials.list());
  printResult(
    json,
    { credentials },
    credentials.length === 0 ? ['No one has entered or connected anything yet.'] : credentials.map(say),
  );
}

function say({ id, server, person, storedAt, usedAt, refusedAt, label, connection }: Shown): string {
  const day = (at: number): string => new Date(at).toISOString();
  const use = usedAt === null ? 'not used yet' : `used since ${day(usedAt)}`;
  const name = label === null ? '' : ` ${label},`;
  const account = connection ? ` ${connection.provider} as ${connection.account},` : name;
  return `${id} ${server}: ${person || 'someone on this machine'},${account} stored ${day(storedAt)}, ${refusedAt === null ? use : `refused ${day(refusedAt)}`}`;
}

async function remove(id: string, { json }: Options): Promise<void> {
  const isRight = isId('credential', id);
  assertOption('ID', isRight, 'Give an id as "assentry credential list" shows it; it begins with crd_.');
  await withOperator((operator) => operator.credentials.remove(id as CredentialId));
  printResult(json, { id }, [`${id} is removed.`]);
}
