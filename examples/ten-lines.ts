import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { assentry } from '../src/mcp/assentry.ts'; // in your project: 'assentry/mcp'

const mcp = new McpServer({ name: 'accounts', version: '1.0.0' });
const tools = assentry(mcp); // ASSENTRY_URL and ASSENTRY_API_KEY say where to ask

tools.registerTool('delete_account', { inputSchema: { id: z.string() } }, async ({ id }, { elicit }) => {
  const { status, content } = await elicit(`Delete account ${id}?`, z.object({ confirmed: z.boolean() }), {
    approval: true,
  });
  const isDeleted = status === 'accept' && content.confirmed; // delete it here
  return { content: [{ type: 'text', text: isDeleted ? `Account ${id} is deleted.` : `Not deleted: ${status}.` }] };
});

await mcp.connect(new StdioServerTransport());
