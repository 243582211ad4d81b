import type { Command } from 'commander';
import { describeDecision } from './receipt-words.ts';
import { readEntry } from '../../audit/entry.ts';
import { openReceipt } from '../../audit/receipt.ts';
import { parseVerifierKey } from '../../audit/signed-note.ts';
import { Problem } from '../../model/problem.ts';
import { readKept } from './audit.ts';
import { asJson, printResult } from '../terminal/output.ts';

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
    .option(...asJson)
    .action(verify);
}

async function verify(file: string, { key, json }: { key: string[]; json?: boolean }): Promise<void> {
  const opened = openReceipt(await readKept(file), key.map(parseVerifierKey));
  const entry = opened && readEntry(opened.entry);
  const sentences = entry && describeDecision(entry);
  if (!opened || !entry || !sentences) {
    if (json) printResult(json, { ok: false }, []);
    throw new Problem('proof-invalid', {
      detail: 'Do not trust this receipt: it was changed, or another installation made it.',
    });
  }
  const { index, checkpoint } = opened;
  const place = `entry ${index + 1} of the first ${checkpoint.size} in the log ${checkpoint.origin}`;
  printResult(json, { ok: true, origin: checkpoint.origin, size: checkpoint.size, index, entry }, [
    'This receipt is genuine.',
    ...sentences,
    `Log:      ${place}`,
  ]);
}
