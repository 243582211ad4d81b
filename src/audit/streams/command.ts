import type { Command } from 'commander';
import { asJson, examples, printResult } from '#cli/output';
import { withOperator } from '#cli/settings';
import type { StreamState } from '#platform/nodes/contract/ready';

/** Adds `streams` to the command `audit`. */
export function addStreamsCommand(audit: Command): void {
  audit
    .command('streams')
    .description('show how far the log has arrived at each receiver, and why one fails')
    .option(
      '--forget <name>',
      'forget how far it is: if nodes still have it, it gets the log from the first entry again',
    )
    .option(...asJson)
    .addHelpText(...examples('assentry audit streams', 'assentry audit streams --forget siem'))
    .action(show);
}

async function show({ forget, json }: { forget?: string; json?: boolean }): Promise<void> {
  const streams = await withOperator(async (operator) => {
    if (forget !== undefined) await operator.forgetStream(forget);
    return operator.listStreams();
  });
  printResult(json, { streams }, streams.length === 0 ? ['The log was streamed to no one.'] : streams.map(sentenceOf));
}

function sentenceOf({ name, delivered, size, failures, fault, failingSince }: StreamState): string {
  const place = `${name}: ${delivered} of ${size} entries have arrived.`;
  if (fault === null || failingSince === null) return place;
  return `${place} It fails since ${new Date(failingSince).toISOString()}, ${failures} times by now: ${fault}`;
}
