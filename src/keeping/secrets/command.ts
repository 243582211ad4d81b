import type { Command } from 'commander';
import { addKeptSecret, secretFile } from '#platform/config/secrets';
import { asJson, examples, printProgress, printResult } from '#cli/output';
import { readSettings, withOperator } from '#cli/settings';

export function addSecretsCommands(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('list, rotate, rewrap and retire the secrets of the installation');
  secrets
    .command('list')
    .description('list every secret by its key id, and what still needs it')
    .option(...asJson)
    .action(list);
  secrets
    .command('rotate')
    .argument('[kid]', 'its key id; by default the new one')
    .description('make every node seal with another secret, if all of them know it')
    .option(...asJson)
    .addHelpText(...examples('assentry secrets rotate', 'assentry secrets rotate k2'))
    .action(rotate);
  secrets
    .command('rewrap')
    .description('seal stored data again under the active secret; can be interrupted and run again')
    .option(...asJson)
    .action(rewrap);
  secrets
    .command('retire')
    .argument('<kid>', 'its key id')
    .description('end a secret that nothing needs any more, so that it can be removed from every node')
    .option('--end-links', 'end links and tokens that were made under it, too')
    .option(...asJson)
    .addHelpText(...examples('assentry secrets retire k1'))
    .action(retire);
}

interface Printing {
  json?: boolean;
}

async function list({ json }: Printing): Promise<void> {
  const { secrets, nodes } = await withOperator((operator) => operator.secrets.list());
  const lines = secrets.map(({ kid, state, sealed, links, nodes: knowing }) => {
    const needed =
      state === 'retired' ? '' : `, seals ${sealed}, ${links} live links, known to ${knowing} of ${nodes} nodes`;
    return `${kid}: ${state}${needed}`;
  });
  printResult(json, { secrets, nodes }, lines);
}

async function rotate(kid: string | undefined, { json }: Printing): Promise<void> {
  const added = kid === undefined ? await addIfKept() : null;
  if (added) {
    const next = 'Restart the node so that it knows the secret, then run this again.';
    return printResult(json, { added: added.kid }, [`The new secret ${added.kid} is in ${added.file}.`, next]);
  }
  const rotation = await withOperator((operator) => operator.secrets.rotate(kid));
  printResult(json, rotation, [
    `Every node seals with ${rotation.kid} now.`,
    `Next: "assentry secrets rewrap", then "assentry secrets retire ${rotation.before}".`,
  ]);
}

/** Adds a secret kept in the data directory; all others come from the operator. */
async function addIfKept(): Promise<{ kid: string; file: string } | null> {
  const settings = readSettings();
  if (settings.secrets !== null || settings.databaseUrl !== null) return null;
  const { secrets } = await withOperator((operator) => operator.secrets.list());
  if (secrets.some(({ state }) => state === 'new')) return null;
  const { directoryOf } = await import('#server/directory-of');
  const directory = directoryOf(settings);
  return { kid: await addKeptSecret(directory), file: secretFile(directory) };
}

async function rewrap({ json }: Printing): Promise<void> {
  const report = (done: number): void => printProgress(`${done} sealed again …`);
  const { rewrapped, unreadable } = await withOperator((operator) => operator.secrets.rewrap(report));
  printResult(json, { rewrapped, unreadable }, [
    `${rewrapped} requests were sealed again under the active secret.`,
    ...unreadable.map((id) => `${id} cannot be read: its secret is not known.`),
  ]);
}

async function retire(kid: string, { json, endLinks = false }: Printing & { endLinks?: boolean }): Promise<void> {
  await withOperator((operator) => operator.secrets.retire(kid, { endLinks }));
  printResult(json, { kid }, [`${kid} is retired: take it out of ASSENTRY_SECRETS when each node restarts next.`]);
}
