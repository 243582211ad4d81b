import { runDigest, type AboutToRun, type AssentryClient, type ToolCallState } from '../../../client/client.ts';
import { randomHex } from '../../../client/digest/hex.ts';
import { Problem } from '#platform/model/problem';
import type { IncomingCall, ToolResult } from '../../question/call/incoming-call.ts';
import { plainArguments } from '../../question/call/call-name.ts';
import { takeUnused } from '../../run/settlements/take-unused.ts';
import type { Binding } from '../own-tools/options.ts';
import { readSeen, runTool, type OwnConfig, type OwnTool } from '../own-tools/own-tool.ts';

/**
 * Runs the stored call's tool from its start, for the client that continues it. If the run would differ, because the
 * tool has changed or another agent continues it, people are asked again.
 */
export async function continueCall(
  binding: Pick<Binding<never>, 'client' | 'settings'>,
  tool: OwnTool<OwnConfig>,
  stored: ToolCallState,
  received: IncomingCall,
  context: object,
): Promise<ToolResult> {
  const call = await resumeCall(tool, stored, received);
  if (call) return runTool(binding, tool, call, context);
  await giveUp(binding.client, stored, received);
  const { round } = received;
  const unanswered = round && { ...round, answers: {} };
  const again = { ...received, told: undefined, round: unanswered, args: await readAgain(tool, stored) };
  return runTool(binding, tool, again, context);
}

/** The current call as a continuation of the stored one; null if the run would differ. */
export async function resumeCall(
  tool: OwnTool<unknown>,
  stored: ToolCallState,
  received: IncomingCall,
): Promise<IncomingCall | null> {
  const args = (await readSeen(tool, stored.arguments)) ?? stored.arguments;
  const isSame = (await runDigest(aboutToRun(received))) === (await runDigest(storedRun(stored)));
  return isSame ? { ...received, args, session: stored.session, continues: stored.id } : null;
}

/** Withdraws what was asked for another run; the log says so. */
export async function giveUp(
  client: AssentryClient,
  { id, elicitations }: ToolCallState,
  received: IncomingCall,
): Promise<void> {
  await takeUnused(client, id, { attempt: randomHex(), run: await runDigest(aboutToRun(received)) });
  for (const { id: elicitId, status } of elicitations) {
    if (status === 'open') await client.cancel(elicitId, { cause: 'superseded' }).catch(ignoreClosed);
  }
}

const aboutToRun = ({ tool, args, requester }: IncomingCall): AboutToRun => ({
  tool,
  arguments: plainArguments(args),
  requester,
});

/** The run that was asked for. */
export const storedRun = ({
  tool,
  title,
  description,
  schemaDigest,
  annotations,
  reaches,
  requester,
  ...call
}: ToolCallState): AboutToRun => ({
  tool: {
    name: tool,
    ...(title !== null && { title }),
    ...(description !== null && { description }),
    ...(schemaDigest !== null && { schemaDigest }),
    ...(annotations && { annotations }),
    ...(typeof reaches === 'string' && { reaches }),
  },
  arguments: call.arguments,
  requester,
});

function ignoreClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'already-closed')) throw error;
}

/** As if it were called with them now. */
async function readAgain({ read }: OwnTool<unknown>, { arguments: storedArgs }: ToolCallState): Promise<unknown> {
  if (!read) return undefined;
  const args = await read(storedArgs);
  if (args !== undefined) return args;
  throw new Problem('INVALID_INPUT', {
    detail: 'Call the tool again: its arguments have changed since this was asked.',
  });
}
