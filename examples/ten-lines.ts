import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { assentry } from '../src/sdk/mcp/assentry.ts'; // in your project: 'assentry/mcp'

const mcp = new McpServer({ name: 'accounts', version: '1.0.0' });
const tools = assentry(mcp); // ASSENTRY_URL and ASSENTRY_API_KEY say where to ask

tools.registerTool(
  'delete_account',
  { inputSchema: { id: z.string() }, annotations: { destructiveHint: true }, approval: true },
  ({ id }) => ({ content: [{ type: 'text', text: `Account ${id} is deleted.` }] }), // runs once, and only after a yes
);

await mcp.connect(new StdioServerTransport());
