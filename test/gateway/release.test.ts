import { expect, test } from '@jest/globals';
import type { ReceivedCall, Serving } from '#gateway/calls/arguments';
import { enclose, Release } from '#gateway/calls/release';
import type { ToolResult } from '#sdk/mcp/question/call';

/** The release of a call whose results are all held. */
function releaseOf(): Release {
  const serving = { passes: { find: async () => null } } as unknown as Serving;
  const call = { principal: { subject: 'ada', verified: true }, mcpClient: { info: undefined } } as ReceivedCall;
  return new Release(serving, call);
}

const open = (result: Record<string, unknown>): Promise<ToolResult> => {
  const returned = { tool: 'report', arguments: {}, result: result as ToolResult };
  return releaseOf().open(Promise.resolve(enclose(returned)), { isKept: true });
};

test.each([
  ['2025-11-25', { task: { taskId: 't', status: 'working' } }],
  ['2026-07-28', { resultType: 'task', taskId: 't', status: 'working' }],
])('a task that a server makes unasked (%s) is refused: its result would pass by the release', async (_, task) => {
  await expect(open(task)).rejects.toMatchObject({ error: { data: { code: 'forbidden' } } });
});

test('a question to the client is no result, and passes', async () => {
  const question = { resultType: 'input_required', inputRequests: {} };
  expect(await open(question)).toEqual(question);
});
