// A server over stdio for clients of 2025, which does on demand what others do at times of their own: it logs, and has tasks.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { ElicitResultSchema, LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import { appendFileSync } from 'node:fs';
import { z } from 'zod';

const [ledger = ''] = process.argv.slice(2);
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const requests = { tools: { call: {} } };
const mcp = new McpServer(
  { name: 'sessions', version: '1.0.0' },
  {
    capabilities: { logging: {}, tasks: { list: {}, cancel: {}, requests } },
    taskStore: new InMemoryTaskStore(),
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  },
);

mcp.registerTool('log', {}, async () => {
  for (const level of LoggingLevelSchema.options) {
    await mcp.sendLoggingMessage({ level, logger: 'notes', data: { level, text: 'line \u2028 end' } });
  }
  return say('logged');
});

const inputSchema = { what: z.enum(['complete', 'fail', 'wait', 'ask']) };

mcp.experimental.tasks.registerToolTask(
  'work',
  { inputSchema, execution: { taskSupport: 'required' } },
  {
    async createTask({ what }, { taskStore, taskRequestedTtl }) {
      appendFileSync(ledger, `worked ${what}\n`);
      const task = await taskStore.createTask({ ttl: taskRequestedTtl ?? null, pollInterval: 20 });
      const { taskId } = task;
      if (what === 'complete') await taskStore.storeTaskResult(taskId, 'completed', say('done'));
      if (what === 'fail') await taskStore.storeTaskResult(taskId, 'failed', { ...say('broken'), isError: true });
      if (what === 'ask') {
        await taskStore.updateTaskStatus(taskId, 'input_required', 'Answer first.');
        const requestedSchema = { type: 'object' as const, properties: { sure: { type: 'boolean' as const } } };
        const params = { mode: 'form' as const, message: 'Sure?', requestedSchema };
        void mcp.server
          .request({ method: 'elicitation/create', params }, ElicitResultSchema, { relatedTask: { taskId } })
          .then(({ action, content }) =>
            taskStore.storeTaskResult(taskId, 'completed', say(`${action} ${JSON.stringify(content)}`)),
          );
      }
      return { task };
    },
    getTask: (_args, { taskId, taskStore }) => taskStore.getTask(taskId),
    getTaskResult: async (_args, { taskId, taskStore }) =>
      (await taskStore.getTaskResult(taskId)) as ReturnType<typeof say>,
  },
);

process.stdin.once('end', () => process.exit(0)); // tasks would keep it
await mcp.connect(new StdioServerTransport());
