import type { Command } from 'commander';
import { checkSignatures } from '../rules/signed-receipt.ts';
import { describeDecision, describeSignature } from './receipt-words.ts';
import { parseCosignerKey } from '../../tree/rules/notes/cosignature.ts';
import { entryIn } from '../../entries/rules/entry/entry.ts';
import { judgeNote } from '../../tree/rules/checkpoint/judge-note.ts';
import { checkpointIn, openReceipt } from '../rules/receipt.ts';
import { parseVerifierKey } from '../../tree/rules/notes/signed-note.ts';
import { Problem } from '#platform/model/problem/problem';
import { readKept, several } from '../../exports/command/audit.ts';
import { asJson, examples, printResult } from '#cli/output/output';

export function addReceiptCommands(program: Command): void {
  program
    .command('receipt')
    .description('verify receipts of decisions')
    .command('verify')
    .description('show what a receipt proves; needs no database, network or settings')
    .argument('<file>', 'the receipt')
    .requiredOption(
      '--key <vkey>',
      'a key of the installation from "assentry audit key", received from someone you trust; can be repeated',
      (value: string, all: string[] | undefined) => [...(all ?? []), value],
    )
    .addOption(several('--witness <vkey>', 'a key of a witness that must have seen it; can be repeated'))
    .option(...asJson)
    .addHelpText(...examples("assentry receipt verify eli_….tlog-proof --key 'assentry/…'"))
    .action(verify);
}

const noReceipt = { verdict: 'no-receipt', origin: '' } as const;
const noDecision = { verdict: 'no-decision', origin: '' } as const;

const remedies: Record<
  'altered' | 'not-ours' | 'unknown-key' | 'no-receipt' | 'no-decision',
  (origin: string) => string
> = {
  altered: () => 'Do not trust this receipt: it was changed.',
  'not-ours': (origin) =>
    `Do not trust this receipt yet: it names the log ${origin}, of which no key was given. Give its key with --key, received from someone you trust.`,
  'unknown-key': (origin) =>
    `Do not trust this receipt yet: it names the log ${origin}, and none of the given keys signed it. Give the key that did with another --key: after a rotation of secrets, that is a former key of the installation.`,
  'no-receipt': () => 'Give a whole receipt, as it was downloaded: this file is none, or a part of it is missing.',
  'no-decision': () => 'Give a receipt of a decision: this file proves an entry of the log that decides nothing.',
};

interface VerifyOptions {
  key: string[];
  witness: string[];
  json?: boolean;
}

async function verify(file: string, { key, witness, json }: VerifyOptions): Promise<void> {
  const witnesses = witness.map(parseCosignerKey);
  const text = await readKept(file);
  const verifiers = key.map(parseVerifierKey);
  const opened = openReceipt(text, verifiers, witnesses);
  const entry = opened && entryIn(opened.entry);
  const sentences = entry && describeDecision(entry);
  if (!opened || !entry || !sentences) {
    const { verdict, origin } = opened ? noDecision : (judgeNote(checkpointIn(text) ?? '', verifiers) ?? noReceipt);
    refuse(json, { verdict, origin }, remedies[verdict](origin));
  }
  const { index, checkpoint, cosignatures } = opened;
  const signatures = await checkSignatures(text, entry, checkpoint);
  const wrong = signatures.find(({ fault }) => fault !== null)?.fault;
  if (wrong) refuse(json, { fault: wrong }, `Do not trust this receipt: ${wrong}`);
  const signed = signatures.flatMap(({ vote }) => (vote ? [describeSignature(vote)] : []));
  const shown = cosignatures.map((each) => ({ name: each.witness.name, at: new Date(each.at).toISOString() }));
  const missing = witnesses.find(({ name }) => !shown.some((each) => each.name === name));
  if (missing) {
    const fault = `The witness ${missing.name} has not cosigned this one.`;
    refuse(json, { fault }, `Ask for the receipt again later. ${fault}`);
  }
  const place = `entry ${index + 1} of the first ${checkpoint.size} in the log ${checkpoint.origin} (place ${index})`;
  printResult(
    json,
    {
      ok: true,
      origin: checkpoint.origin,
      size: checkpoint.size,
      index,
      entry,
      witnesses: shown,
      signed: signatures.map(({ vote }) => vote),
    },
    [
      'This receipt is genuine.',
      ...sentences,
      ...signed,
      `Log:      ${place}`,
      ...shown.map(({ name, at }) => `Witness:  ${name}, at ${at}`),
    ],
  );
}

/** Says what is wrong with the receipt, to scripts as well. */
function refuse(json: boolean | undefined, wrong: Record<string, unknown>, detail: string): never {
  if (json) printResult(json, { ok: false, ...wrong }, []);
  throw new Problem('proof-invalid', { detail });
}
