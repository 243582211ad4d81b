import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, type McpServer, type ServerNotifier } from '@modelcontextprotocol/server';
import { say } from './say.ts';

/** Tools that show how the server keeps the protocol; no one is asked. */
export function registerProtocolTools(mcp: McpServer, notifier: () => ServerNotifier): void {
  mcp.registerTool('test_missing_capability', { description: 'Needs a client with a model.' }, () =>
    inputRequired({
      inputRequests: {
        model: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'Say something.' } }],
          maxTokens: 10,
        }),
      },
    }),
  );
  mcp.registerTool('test_logging_tool', { description: 'Writes to the log.' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'This is only for those who asked for it.');
    return say('logged');
  });
  mcp.registerTool('test_trigger_tool_change', { description: 'Says that the tools have changed.' }, () => {
    notifier().toolsChanged();
    return say('changed');
  });
  mcp.registerTool('test_trigger_prompt_change', { description: 'Says that the prompts have changed.' }, () => {
    notifier().promptsChanged();
    return say('changed');
  });
  mcp.registerTool('test_tool_with_progress', { description: 'Reports its progress.' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await sleep(50);
    }
    return say('done');
  });
}
