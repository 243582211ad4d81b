import { expect, test } from '@jest/globals';
import type { AssentryClient, ElicitationState } from '../../../src/client/client.ts';
import { leaveExecution } from '../../../src/mcp/run/executions.ts';
import type { IncomingCall } from '../../../src/mcp/question/incoming-call.ts';
import type { Question } from '../../../src/mcp/question/question.ts';
import { Run, type RunSettings } from '../../../src/mcp/run/run.ts';
import { takeExecution } from '../../../src/mcp/run/take-execution.ts';

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
  let giveBack = (): void => {};
  const opening = new Promise<void>((resolve) => (giveBack = resolve));
  run.givingBack = opening.then(() => order.push('given back'));
  const taking = takeExecution(run, {} as Question, accepted);
  await run.digest(); // all that a claim waits for otherwise
  await new Promise(setImmediate);
  giveBack();
  await taking;
  expect(order).toEqual(['given back', 'claimed']);
  leaveExecution(accepted.toolCall, run, { isUnfinished: false });
});
