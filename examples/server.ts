import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Request, Response } from 'express';
import { createExampleServer, type ExampleOptions } from './tools.ts';

// npx tsx examples/server.ts [--stdio | --port 3000] [--ledger FILE] [--hold-timeout MILLISECONDS]
// ASSENTRY_URL and ASSENTRY_API_KEY say where to ask.

const { values } = parseArgs({
  options: {
    stdio: { type: 'boolean', default: false },
    port: { type: 'string', default: '3000' },
    ledger: { type: 'string' },
    'hold-timeout': { type: 'string' },
  },
});
const options: ExampleOptions = {
  ledger: values.ledger,
  holdTimeoutMs: values['hold-timeout'] === undefined ? undefined : Number(values['hold-timeout']),
};

if (values.stdio) await serveStdio();
else await serveHttp(Number(values.port));

async function serveStdio(): Promise<void> {
  const mcp = createExampleServer(options);
  await mcp.connect(new StdioServerTransport());
  // The transport itself does not notice that its client has gone; closing tells every held call.
  process.stdin.once('end', () => void mcp.close());
}

async function serveHttp(port: number): Promise<void> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const app = createMcpExpressApp();
  app.all('/mcp', async (request: Request, response: Response) => {
    const id = request.get('mcp-session-id');
    const transport = id === undefined ? await openSession(sessions) : sessions.get(id);
    if (transport) return transport.handleRequest(request, response, request.body);
    const error = { code: -32001, message: 'This session has ended. Initialize again.' };
    response.status(404).json({ jsonrpc: '2.0', id: null, error });
  });
  const http = createServer(app).listen(port, '127.0.0.1');
  await once(http, 'listening');
  console.log(`MCP server ready at http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
}

/** One MCP server a session: what one client declared and asked never mixes with another's. */
async function openSession(
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const mcp = createExampleServer(options);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
  return transport;
}
