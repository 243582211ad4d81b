// A server over stdio for clients of 2026-07-28, which does on demand everything that this revision has. It writes what it really does
// into the file named by its argument.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { completable, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [ledger = ''] = process.argv.slice(2);
const did = (what: string): void => appendFileSync(ledger, `${what}\n`);
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const extension = 'io.modelcontextprotocol/tasks';
const schema = { type: 'object' as const, properties: { sure: { type: 'boolean' as const } } };
const sure = inputRequired.elicit({ message: 'Sure?', requestedSchema: schema });

function createServer(): McpServer {
  const capabilities = {
    logging: {},
    resources: { subscribe: true, listChanged: true },
    extensions: { [extension]: {} },
  };
  const mcp = new McpServer({ name: 'requests', version: '1.0.0' }, { capabilities });
  addLists(mcp);
  addRounds(mcp);
  addTasks(mcp);
  mcp.registerTool('report', {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? '';
    for (const progress of [1, 2]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, message: `at ${progress}` },
      });
    }
    for (const level of ['debug', 'error'] as const) await mcpReq.log(level, { level }, 'notes');
    return say('reported');
  });
  mcp.registerTool('slow', {}, async ({ mcpReq }) => {
    did('began');
    await sleep(60_000, undefined, { signal: mcpReq.signal }).catch(() => did('was cancelled'));
    return say('never');
  });
  mcp.registerTool('change', {}, async () => {
    await mcp.server.sendToolListChanged();
    await mcp.server.sendPromptListChanged();
    await mcp.server.sendResourceListChanged();
    for (const uri of ['note://first', 'note://second']) await mcp.server.sendResourceUpdated({ uri });
    return say('changed');
  });
  return mcp;
}

const colours = ['red', 'rose', 'blue'];
const startingWith = (value: string): string[] => colours.filter((colour) => colour.startsWith(value));

function addLists(mcp: McpServer): void {
  const argsSchema = z.object({ colour: completable(z.string(), startingWith) });
  mcp.registerPrompt('paint', { argsSchema }, ({ colour }) => ({
    messages: [{ role: 'user', content: { type: 'resource_link', uri: `note://${colour}`, name: colour } }],
  }));
  for (const name of ['first', 'second']) {
    const uri = `note://${name}`;
    mcp.registerResource(name, uri, {}, () => ({ contents: [{ uri, text: name }] }));
  }
  const template = new ResourceTemplate('note://of/{colour}', { list: undefined, complete: { colour: startingWith } });
  mcp.registerResource('of', template, {}, ({ href }) => ({ contents: [{ uri: href, text: href }] }));
}

/** A tool, a prompt and a resource that ask the client first; the tool twice. */
function addRounds(mcp: McpServer): void {
  mcp.registerTool('confirm', {}, async ({ mcpReq }) => {
    const state = mcpReq.requestState();
    const answers = JSON.stringify(mcpReq.inputResponses ?? null);
    if (state === 'twice') {
      did(`confirmed with ${answers}`);
      return say(answers);
    }
    const requestState = state === undefined ? 'once' : 'twice';
    return inputRequired({ inputRequests: { [requestState]: sure }, requestState });
  });
  mcp.registerPrompt('asks', {}, ({ mcpReq }) =>
    mcpReq.inputResponses
      ? { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(mcpReq.inputResponses) } }] }
      : inputRequired({ inputRequests: { sure }, requestState: 'of the prompt' }),
  );
  mcp.registerResource('asks', 'note://asks', {}, ({ href: uri }, { mcpReq }) =>
    mcpReq.inputResponses
      ? { contents: [{ uri, text: JSON.stringify(mcpReq.inputResponses) }] }
      : inputRequired({ inputRequests: { sure }, requestState: 'of the resource' }),
  );
}

/** The extension of this revision, for which the SDK has no server side. */
function addTasks(mcp: McpServer): void {
  const tasks = new Map<string, Record<string, unknown>>();
  const times = { createdAt: '2026-11-01T00:00:00Z', lastUpdatedAt: '2026-11-01T00:00:00Z', ttlMs: 60_000 };
  const find = (taskId: string): Record<string, unknown> => {
    const task = tasks.get(taskId);
    if (!task) throw Object.assign(new Error('Unknown task'), { code: -32602 });
    return task;
  };
  mcp.registerTool('work', {}, async () => {
    const taskId = `task-${tasks.size + 1}`;
    did(`worked as ${taskId}`);
    tasks.set(taskId, { taskId, status: 'input_required', ...times, inputRequests: { sure } });
    return { resultType: 'task', taskId, status: 'working', ...times } as never;
  });
  const params = z.looseObject({ taskId: z.string() });
  mcp.server.setRequestHandler('tasks/get', { params }, async ({ taskId }) => ({
    resultType: 'complete' as const,
    ...find(taskId),
  }));
  mcp.server.setRequestHandler('tasks/update', { params }, async ({ taskId, inputResponses: own }, { mcpReq }) => {
    find(taskId);
    const block = {
      type: 'resource',
      resource: { uri: 'note://first', text: JSON.stringify(own ?? mcpReq.inputResponses) },
    };
    const result = { resultType: 'complete', content: [block] };
    tasks.set(taskId, { taskId, status: 'completed', ...times, result });
    return { resultType: 'complete' as const };
  });
  mcp.server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }) => {
    tasks.set(taskId, { ...find(taskId), status: 'cancelled', inputRequests: undefined });
    return { resultType: 'complete' as const };
  });
}

serveStdio(createServer);
