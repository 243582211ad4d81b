import { expect, test } from '@jest/globals';
import type { AssentryClient, ElicitationState } from '#sdk/client/client';
import { leaveExecution } from '#sdk/mcp/run/executions';
import type { IncomingCall } from '#sdk/mcp/question/call';
import type { Question } from '#sdk/mcp/question/question';
import { Run, type RunSettings } from '#sdk/mcp/run/run';
import { takeExecution } from '#sdk/mcp/run/take-execution';

const call = {
  tool: { name: 'transfer' },
  args: {},
  requester: { subject: 'alice' },
  signal: new AbortController().signal,
} as IncomingCall;
const settings = { holdTimeoutMs: 1000, progressIntervalMs: 1000, leaseMs: 1000 } as RunSettings;
const accepted = { toolCall: 'call_given-back', status: 'accepted' } as Partial<ElicitationState> as ElicitationState;

test('an answer takes the execution only after the question before it has given it back', async () => {
  const order: string[] = [];
  const claim: AssentryClient['claim'] = async () => {
    order.push('claimed');
    return { state: 'claimed' };
  };
  const run = new Run(call, { claim } as AssentryClient, settings);
  run.dispatch({ type: 'accept' });
  await takeExecution(run, {} as Question, accepted);
  let giveBack = (): void => {};
  const opening = new Promise<void>((resolve) => (giveBack = resolve));
  const asking = run.ask(() => opening.then(() => order.push('given back')));
  const taking = takeExecution(run, {} as Question, accepted);
  await run.digest(); // all that a claim waits for otherwise
  await new Promise(setImmediate);
  giveBack();
  await Promise.all([asking, taking]);
  expect(order).toEqual(['claimed', 'given back', 'claimed']);
  leaveExecution(accepted.toolCall, run, { isUnfinished: false });
});
