import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** All callers of this store are one: it shows each the tasks of all. */
class SharedTasks extends InMemoryTaskStore {
  override getTask: InMemoryTaskStore['getTask'] = (id) => super.getTask(id);
  override getTaskResult: InMemoryTaskStore['getTaskResult'] = (id) => super.getTaskResult(id);
  override updateTaskStatus: InMemoryTaskStore['updateTaskStatus'] = (id, ...status) =>
    super.updateTaskStatus(id, ...(status.slice(0, 2) as [never, never]));
  override listTasks: InMemoryTaskStore['listTasks'] = (cursor) => super.listTasks(cursor);
}

/** A server of 2025 whose tasks belong to whoever has its credentials: to the gateway. */
export async function startSharedTasks() {
  const taskStore = new SharedTasks();
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (request, response) => {
    const session = sessions.get(String(request.headers['mcp-session-id']));
    const transport = session ?? (await open());
    await transport.handleRequest(request, response);
  }).listen(0, '127.0.0.1');
  const open = async () => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await serverOf(taskStore).connect(transport as never);
    return transport;
  };
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    /** The ids of all tasks, as it calls them. */
    ids: () => taskStore.getAllTasks().map(({ taskId }) => taskId),
    async close() {
      taskStore.cleanup();
      http.close().closeAllConnections();
    },
  };
}

function serverOf(taskStore: InMemoryTaskStore): McpServer {
  const requests = { tools: { call: {} } };
  const mcp = new McpServer(
    { name: 'tasks', version: '1.0.0' },
    { capabilities: { tasks: { list: {}, cancel: {}, requests } }, taskStore },
  );
  const annotations = { readOnlyHint: true };
  mcp.experimental.tasks.registerToolTask(
    'read_salary',
    { annotations, execution: { taskSupport: 'required' } },
    {
      async createTask({ taskStore: own }) {
        const task = await own.createTask({ ttl: null, pollInterval: 20 });
        const content = [{ type: 'text' as const, text: 'her salary' }];
        await own.storeTaskResult(task.taskId, 'completed', { content });
        return { task };
      },
      getTask: ({ taskId, taskStore: own }) => own.getTask(taskId),
      getTaskResult: async ({ taskId, taskStore: own }) => (await own.getTaskResult(taskId)) as never,
    },
  );
  return mcp;
}
