import type { Command } from 'commander';
import { isId, type StopId } from '#platform/model/id';
import { asJson, examples, printResult, assertOption } from '#cli/output';
import { withOperator } from '#cli/settings';
import type { Stop } from './contract/stops.ts';

export function addStopCommands(program: Command): void {
  program
    .command('stop')
    .description('stop a tool, a server or everything at once; open requests end, and approved calls cannot start')
    .option('--tool <name>', 'only this tool')
    .option('--server <name>', 'only this server, or this tool of it')
    .option('--all', 'everything')
    .requiredOption('--reason <text>', 'the reason shown to everyone who asks')
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry stop --tool wire_transfer --reason "We are looking into it."',
        'assentry stop --server payments --reason "Its key has leaked."',
        'assentry stop --all --reason "The agents are out of control."',
      ),
    )
    .action(stop);
  program
    .command('lift')
    .description('lift a stop that was made in the console; without an id, list all stops')
    .argument('[id]', 'the id that "assentry lift" shows')
    .option(...asJson)
    .addHelpText('after', '\nSomeone else must lift a stop: a stop made here is lifted in the console.')
    .action(lift);
}

interface StopOptions {
  tool?: string;
  server?: string;
  all?: boolean;
  reason: string;
  json?: boolean;
}

async function stop({ tool, server, all, reason, json }: StopOptions): Promise<void> {
  const isNamed = tool !== undefined || server !== undefined;
  assertOption('OPTIONS', isNamed !== (all === true), 'Name a tool, a server or both, or use --all for everything.');
  assertOption('--reason', reason.trim() !== '', 'Give a reason: everyone who asks sees it.');
  const newStop = await withOperator((operator) => operator.stopCalls({ tool, server, reason }));
  const ended = newStop.ended === 1 ? '1 open request has ended.' : `${newStop.ended} open requests have ended.`;
  printResult(json, { stop: newStop }, [formatStop(newStop), ended]);
}

async function lift(id: string | undefined, { json }: { json?: boolean }): Promise<void> {
  if (id === undefined) return list(json);
  assertOption('ID', isId('stop', id), 'Give an id as "assentry lift" shows it; it begins with stp_.');
  const lifted = await withOperator((operator) => operator.liftStop(id as StopId));
  printResult(json, { stop: lifted }, [formatStop(lifted)]);
}

async function list(json: boolean | undefined): Promise<void> {
  const all = await withOperator((operator) => operator.listStops());
  const stops = all.filter(({ lifted }) => lifted === null);
  printResult(json, { stops }, stops.length === 0 ? ['Nothing is stopped.'] : stops.map(formatStop));
}

function formatStop({ id, server, tool, reason, by, lifted }: Stop): string {
  const what = tool === null ? (server === null ? 'everything' : `all of ${server}`) : scopeOf(tool, server);
  const state =
    lifted === null ? `stopped by ${by?.name ?? 'the operator'}` : `lifted by ${lifted.by?.name ?? 'the operator'}`;
  return `${id} ${what}: ${state}. ${reason}`;
}

const scopeOf = (tool: string, server: string | null): string => (server === null ? tool : `${tool} of ${server}`);
