import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
  type NodeIncomingMessageLike,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, type McpServer, type ServerNotifier } from '@modelcontextprotocol/server';

export interface McpHost {
  url: string;
  close(): Promise<void>;
}

/** One address for clients of every revision: the older ones get a session each, for only there they can be asked. */
export async function serveBothEras(
  createMcpServer: (notifier: () => ServerNotifier) => McpServer,
  port: number,
): Promise<McpHost> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const modern = createMcpHandler(() => createMcpServer(() => modern.notify), { legacy: 'reject' });
  const serveModern = toNodeHandler(modern);
  const isLocal = [localhostHostValidation(), localhostOriginValidation()];
  const http = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal.every((isAllowed) => isAllowed(request, response))) return;
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') return void response.writeHead(404).end();
    const body = await readBody(request);
    const incoming = request as NodeIncomingMessageLike; // the same, but for how its optional parts are written
    if (!(await isLegacyRequest(await toWebRequest(incoming, body), body)))
      return serveModern(incoming, response, body);
    const session = request.headers['mcp-session-id'];
    const transport = session === undefined ? await openSession() : sessions.get(String(session));
    if (transport) return transport.handleRequest(request, response, body);
    const error = { code: -32001, message: 'This session has ended. Initialize again.' };
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  }

  async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createMcpServer(() => modern.notify).connect(transport);
    return transport;
  }

  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://localhost:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      await Promise.all([modern.close(), ...[...sessions.values()].map((transport) => transport.close())]);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
