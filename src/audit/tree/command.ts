import { type Command, Option } from 'commander';
import { parseVerifierKey } from './rules/notes.ts';
import { examples, printProgress, printResult, assertOption } from '#cli/output';
import { watchSignals } from '#cli/signals';

interface WitnessOptions {
  name: string;
  log: string[];
  directory: string;
  host: string;
  port: string;
}

const logs = new Option('--log <vkey>', 'a key of a log from "assentry audit key"; can be repeated')
  .argParser((value, all: string[] | undefined) => [...(all ?? []), value])
  .makeOptionMandatory();

/** A witness needs no database, secret or setting of an installation, and should run where its operators cannot reach. */
export const addWitnessCommand = (program: Command): Command =>
  program
    .command('witness')
    .description('cosign checkpoints of logs that only ever grow, on a machine that others look after')
    .requiredOption('--name <name>', 'the name of the witness, such as an address without https://')
    .addOption(logs)
    .requiredOption('--directory <directory>', 'where it keeps its key and what it has seen; of this witness alone')
    .option('--host <host>', 'where to listen', '127.0.0.1')
    .option('--port <port>', 'the port to listen on, or 0 for any', '4710')
    .addHelpText(
      ...examples("assentry witness --name witness.example.com/w1 --directory witness --log 'assentry/…+…+…'"),
    )
    .action(witness);

async function witness({ name, log, directory, host, port }: WitnessOptions): Promise<void> {
  assertOption('--name', /^[^\s+]{1,255}$/u.test(name), 'Use up to 255 characters without spaces and plus signs.');
  assertOption('--port', /^\d{1,5}$/.test(port) && Number(port) <= 65_535, 'Give a number from 0 to 65535.');
  const { createWitness, openWitnessFiles, serveWitness } = await import('./wiring/witness-server.ts');
  const signals = watchSignals();
  const keeper = createWitness(name, log.map(parseVerifierKey), await openWitnessFiles(directory));
  const onError = (error: unknown): void => printProgress(`assentry: ${String(error)}`);
  const { url, stop } = await serveWitness(keeper, { host, port: Number(port), onError });
  printResult(false, {}, [`The witness is ready at ${url}`, `Its key: ${keeper.key}`]);
  await signals.first;
  await stop();
}
