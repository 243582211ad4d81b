import { expect, test } from '@jest/globals';
import { unknownClient } from '#gateway/calls/connections';
import type { Passes, Use } from '#gateway/calls/passes';
import type { ReceivedCall, Serving } from '#gateway/calls/arguments';
import { serveCall } from '#gateway/calls/serve-call';
import type { ToolDefinition } from '#gateway/tools/definition';
import { KnownTools } from '#gateway/tools/known-tools';

const definition: ToolDefinition = { name: 'read_note', inputSchema: { type: 'object' } };
const pass = { isGood: true, report: () => {} } as unknown as NonNullable<Awaited<ReturnType<Passes['find']>>>;

/** Serves a call that a pass allows; resolves with what the upstream was given, or null if people are to be asked. */
async function serve(duringLookup: (tools: KnownTools) => void): Promise<unknown> {
  const tools = new KnownTools(async () => ({ tools: [definition] }));
  const find = async ({ tool }: Use) => {
    if (tool.name === definition.name) duringLookup(tools);
    return pass;
  };
  const serving = { tools, passes: { find }, pins: { changeOf: async () => null } } as unknown as Serving;
  let forwarded: unknown = null;
  const call = {
    frame: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: definition.name, arguments: {} } },
    principal: { subject: 'ada', verified: true },
    mcpClient: unknownClient,
    signal: new AbortController().signal,
    forward: async (_frame: unknown, tool: ToolDefinition) => {
      forwarded = tool;
      return { content: [] };
    },
    hasRun: () => forwarded !== null,
    beforeAsking: () => Promise.reject(new Error('People are asked.')),
  } as unknown as ReceivedCall;
  await serveCall(serving, call).catch((error: Error) => expect(error.message).toBe('People are asked.'));
  return forwarded;
}

test('a call that a pass allows is forwarded with the definition that was looked up for it', async () => {
  expect(await serve(() => {})).toEqual(definition);
});

test.each<[string, (tools: KnownTools) => void]>([
  ['another definition', (tools) => tools.see([{ ...definition, description: 'Changed.' }])],
  ['that its tools have changed', (tools) => tools.forget()],
])('no pass counts if the upstream says %s while it is looked up', async (_what, duringLookup) => {
  expect(await serve(duringLookup)).toBeNull();
});
