import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const inputSchema = z.object({ text: z.string() });
/** An argument that clients of 2026-07-28 say in a header, too. */
const onShelf = z.object({ shelf: z.string().meta({ 'x-mcp-header': 'Shelf' }) });

/** A server for clients of every revision. `did` is told what it really does. */
export function createNotes(did: (what: string) => void, description = 'Writes a note.'): McpServer {
  const mcp = new McpServer({ name: 'notes', version: '1.0.0' });
  mcp.registerTool('read_note', { inputSchema, annotations: { readOnlyHint: true } }, ({ text }) =>
    say(`read ${text}`),
  );
  mcp.registerTool('count_notes', { inputSchema, annotations: { readOnlyHint: true } }, ({ text }) => {
    did(`counted ${text}`);
    return say(`counted ${text}`);
  });
  mcp.registerTool('find_note', { inputSchema: onShelf, annotations: { readOnlyHint: true } }, ({ shelf }) =>
    say(`found on ${shelf}`),
  );
  mcp.registerTool('write_note', { description, inputSchema }, ({ text }) => {
    did(`wrote ${text}`);
    return say(`wrote ${text}`);
  });
  mcp.registerTool('report', { inputSchema }, async ({ text }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [1, 2]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? 0, progress, total: 2 },
      });
    }
    did(`reported ${text}`);
    return say(`reported ${text}`);
  });
  mcp.registerTool('slow', { inputSchema }, async ({ text }, { mcpReq }) => {
    did(`started ${text}`);
    await sleep(60_000, undefined, { signal: mcpReq.signal });
    return say('never');
  });
  mcp.registerTool('confirm', { inputSchema }, async ({ text }, { mcpReq }) => {
    const answers = mcpReq.inputResponses ?? {};
    if (!('sure' in answers)) {
      const requestedSchema = { type: 'object' as const, properties: { sure: { type: 'boolean' as const } } };
      const sure = inputRequired.elicit({ message: `Sure about ${text}?`, requestedSchema });
      return inputRequired({ inputRequests: { sure }, requestState: `state of ${text}` });
    }
    did(`confirmed ${text} with ${String(mcpReq.requestState())}`);
    return say(`confirmed ${text}`);
  });
  mcp.registerTool('fails', { inputSchema }, () => {
    throw new TypeError('The pen is dry.');
  });
  mcp.registerTool('ends', { inputSchema }, () => process.exit(3));
  mcp.registerResource('first', 'file:///notes/first', {}, () => ({
    contents: [{ uri: 'file:///notes/first', text: 'one' }],
  }));
  return mcp;
}
