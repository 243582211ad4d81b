import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  isInputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { say } from './say.ts';

const extension = 'io.modelcontextprotocol/tasks';

/** Tasks that ask no one need no Assentry: they live and die with this process. */
interface MemoryTask {
  taskId: string;
  status: 'working' | 'completed' | 'failed' | 'cancelled';
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  result?: unknown;
  error?: { code: number; message: string };
}

const tasks = new Map<string, { task: MemoryTask; controller: AbortController }>();
type Work = (signal: AbortSignal) => Promise<unknown>;
type Handle = (request: unknown, context: ServerContext) => Promise<unknown>;

/** Registers the tools of these tasks, and must come before everything else that handles calls and tasks. */
export function registerMemoryTasks(mcp: McpServer): void {
  const { server } = mcp;
  const setHandler = server.setRequestHandler.bind(server) as (method: string, ...rest: unknown[]) => void;
  const intercept = (method: string, ...rest: unknown[]): void => {
    const handle = rest.at(-1) as Handle;
    if (method === 'tools/call') return setHandler(method, callInTask(handle));
    if (method.startsWith('tasks/')) return setHandler(method, ...rest.slice(0, -1), serveTask(method, handle));
    return setHandler(method, ...rest);
  };
  server.setRequestHandler = intercept as typeof server.setRequestHandler;
}

export function registerJobs(mcp: McpServer): void {
  mcp.registerTool(
    'greet',
    { description: 'Greets at once.', inputSchema: z.object({ name: z.string() }) },
    ({ name }) => say(`Hello, ${name}!`),
  );
  const Seconds = z.object({ seconds: z.number(), label: z.string().optional() });
  mcp.registerTool(
    'slow_compute',
    { description: 'Takes its time.', inputSchema: Seconds },
    async ({ seconds }, ctx) => {
      await sleep(seconds * 1000, undefined, { signal: ctx.mcpReq.signal });
      return say(`computed for ${seconds} seconds`);
    },
  );
  mcp.registerTool('failing_job', { description: 'Fails after a second.' }, async () => {
    await sleep(1000);
    return { ...say('The job has failed.'), isError: true };
  });
  mcp.registerTool('protocol_error_job', { description: 'Ends with an error of the protocol.' }, async () =>
    say('never'),
  );
}

const jobs = new Set(['slow_compute', 'failing_job', 'protocol_error_job']);

const callInTask =
  (handle: Handle): Handle =>
  async (request, context) => {
    const { name } = (request as { params: { name: string } }).params;
    const work: Work = async (signal) => {
      if (name === 'protocol_error_job')
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'The job broke down.');
      return handle(request, { ...context, mcpReq: { ...context.mcpReq, signal } });
    };
    if (jobs.has(name) && takesTasks(context)) return create(work);
    if (name === 'failing_job') {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [extension]: {} } } });
    }
    const result = await handle(request, context);
    const isEscalated = name === 'test_tool_with_task' && takesTasks(context) && !isInputRequiredResult(result);
    return isEscalated ? create(async () => result) : result;
  };

const serveTask =
  (method: string, handle: Handle): Handle =>
  async (params, context) => {
    const entry = tasks.get((params as { taskId: string }).taskId);
    if (!entry) return handle(params, context);
    if (method === 'tasks/get') return { resultType: 'complete', ...entry.task };
    if (method === 'tasks/cancel' && entry.task.status === 'working') {
      end(entry.task, { status: 'cancelled' });
      entry.controller.abort();
    }
    return { resultType: 'complete' };
  };

function takesTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as { extensions?: Record<string, unknown> } | undefined;
  return declared?.extensions?.[extension] !== undefined;
}

function create(work: Work): object {
  const now = new Date().toISOString();
  const times = { createdAt: now, lastUpdatedAt: now, ttlMs: 600_000, pollIntervalMs: 200 };
  const task: MemoryTask = { taskId: randomUUID(), status: 'working', ...times };
  const controller = new AbortController();
  tasks.set(task.taskId, { task, controller });
  work(controller.signal).then(
    (result) => end(task, { status: 'completed', result }),
    ({ code = ProtocolErrorCode.InternalError, message }) => end(task, { status: 'failed', error: { code, message } }),
  );
  return { resultType: 'task', ...task };
}

/** A task ends once. */
function end(task: MemoryTask, ending: Pick<MemoryTask, 'status' | 'result' | 'error'>): void {
  if (task.status === 'working') Object.assign(task, ending, { lastUpdatedAt: new Date().toISOString() });
}
