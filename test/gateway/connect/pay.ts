import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, McpServer, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { z } from 'zod';

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const annotations = { readOnlyHint: true };
const inputSchema = z.object({ url: z.string(), more: z.record(z.string(), z.unknown()).default({}) });

/** A server for clients of every revision that sends its person to the address that it is called with. */
export function createPay(): McpServer {
  const mcp = new McpServer({ name: 'pay', version: '1.0.0' });
  const complete = (elicitationId: string) => ({
    method: 'notifications/elicitation/complete' as const,
    params: { elicitationId },
  });
  mcp.registerTool('get_pushed', { inputSchema, annotations }, async ({ url, more }, { mcpReq }) => {
    const params = { mode: 'url' as const, message: 'Pay there', url, elicitationId: `of ${url}`, ...more };
    const request = { method: 'elicitation/create', params } as const;
    const answer = await mcpReq.send(request, z.looseObject({ action: z.string() })).catch((error: unknown) => ({
      action: `refused: ${error instanceof Error ? error.message : String(error)}`,
    }));
    if (answer.action === 'accept') await mcpReq.notify(complete(params.elicitationId));
    return say(`push ${answer.action}`);
  });
  mcp.registerTool('get_withdrawn', { inputSchema, annotations }, async ({ url }, { mcpReq }) => {
    const params = { mode: 'url' as const, message: 'Pay there', url, elicitationId: 'withdrawn' };
    const request = { method: 'elicitation/create', params } as const;
    await mcpReq.send(request, z.looseObject({}), { timeout: 200 }).catch(() => {}); // the SDK then cancels its request
    return say('withdrawn');
  });
  mcp.registerTool('get_required', { inputSchema, annotations }, ({ url, more }) => {
    const elicitation = { mode: 'url' as const, message: 'Pay there', url, elicitationId: `of ${url}`, ...more };
    throw new UrlElicitationRequiredError([elicitation]);
  });
  mcp.registerTool('get_finished', { inputSchema, annotations }, async ({ more }, { mcpReq }) => {
    await mcpReq.notify(complete(String(more['elicitationId'])));
    await sleep(0);
    return say('finished');
  });
  mcp.registerTool('get_round', { inputSchema, annotations }, ({ url, more }, { mcpReq }) => {
    const { pay } = (mcpReq.inputResponses ?? {}) as { pay?: { action: string } };
    if (pay) return say(`round ${pay.action} with ${String(mcpReq.requestState())}`);
    const request = inputRequired.elicitUrl({ message: 'Pay there', url });
    Object.assign(request.params ?? {}, more);
    return inputRequired({ inputRequests: { pay: request }, requestState: 'own state' });
  });
  return mcp;
}
