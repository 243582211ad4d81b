export interface Connection {
  url: string;
  key: string;
  server: string;
}

export const snippetKinds = ['typescript', 'claude', 'cursor', 'vscode', 'inspector', 'curl'] as const;
export type SnippetKind = (typeof snippetKinds)[number];

/** Where the text of each kind belongs; null if it is run, not kept. */
export const snippetFiles = {
  typescript: 'server.mjs',
  claude: '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  inspector: null,
  curl: null,
} satisfies Record<SnippetKind, string | null>;

/** What to paste to connect a server, with its key filled in. */
export function writeSnippet(kind: SnippetKind, connection: Connection): string {
  const { server } = connection;
  switch (kind) {
    case 'typescript':
      return writeTypeScript(server);
    case 'claude':
    case 'cursor':
      return json({ mcpServers: { [server]: launchOf(connection) } });
    case 'vscode':
      return json({ servers: { [server]: { type: 'stdio', ...launchOf(connection) } } });
    case 'inspector':
      return writeInspector(connection);
    case 'curl':
      return writeCurl(connection);
  }
}

const launchOf = ({ url, key }: Connection) => ({
  command: 'node',
  args: [`/absolute/path/to/${snippetFiles.typescript}`],
  env: { ASSENTRY_URL: url, ASSENTRY_API_KEY: key },
});

const json = (value: unknown): string => JSON.stringify(value, null, 2);

// The key is no part of the code: it comes from the environment, which the client sets.
const writeTypeScript = (
  server: string,
): string => `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { assentry } from 'assentry/mcp';

const mcp = new McpServer({ name: '${server}', version: '1.0.0' });
const tools = assentry(mcp); // reads ASSENTRY_URL and ASSENTRY_API_KEY

tools.registerTool(
  'pay_invoice',
  { inputSchema: { amount: z.number(), payee: z.string() }, approval: true },
  ({ amount, payee }) => ({ content: [{ type: 'text', text: \`Paid \${amount} to \${payee}.\` }] }),
);

await mcp.connect(new StdioServerTransport());`;

const writeInspector = ({ url, key }: Connection): string => `npx @modelcontextprotocol/inspector \\
  -e ASSENTRY_URL=${url} \\
  -e ASSENTRY_API_KEY=${key} \\
  node ${snippetFiles.typescript}`;

const writeCurl = ({ url, key }: Connection): string => `curl ${url}/v1/elicitations \\
  -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '{
    "tool": { "name": "pay_invoice", "title": "Pay an invoice" },
    "arguments": { "amount": 120, "payee": "Example Ltd" },
    "message": "Pay 120 EUR to Example Ltd?",
    "requester": { "subject": "alice@example.com" },
    "audience": "approvers"
  }'`;
