import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rawHeaders } from './raw-post.ts';

/** One request that the server got. */
export interface Heard {
  /** The method of its message; without a message, that of HTTP. */
  method: string;
  id?: string | number;
  params?: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  response: ServerResponse;
}

type Answer = (heard: Heard) => unknown;

export interface ScriptedServer {
  url: string;
  heard: Heard[];
  /** What it does in place of an honest answer, by the method of the message or of HTTP. */
  script: Record<string, Answer>;
  close(): Promise<void>;
}

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const results: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
  },
  'tools/list': {
    tools: [
      { name: 'read_note', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'write_note', inputSchema, description: 'Writes a note.' },
    ],
  },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};

/** A server of 2025 with one session and two tools, which does at each request what the test says. */
export async function startScripted(script: Record<string, Answer> = {}): Promise<ScriptedServer> {
  const heard: Heard[] = [];
  const http = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const message = body === '' ? { method: request.method } : (JSON.parse(body) as object);
      const incoming = { ...message, headers: request.headers, response } as Heard;
      heard.push(incoming);
      (script[incoming.method] ?? honest)(incoming);
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    heard,
    script,
    close: async () => void http.close().closeAllConnections(),
  };
}

/** As a server without tricks answers. */
export function honest({ method, id, response }: Heard): void {
  if (method === 'GET') return void streamTo(response);
  if (id === undefined) return void response.writeHead(method === 'DELETE' ? 200 : 202).end();
  const session = method === 'initialize' && { 'mcp-session-id': 'one' };
  response.writeHead(200, { 'content-type': 'application/json', ...session });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}

/** Begins a stream of events, and returns how to send a message on it. */
export function streamTo(response: ServerResponse): (message: object, id?: string) => boolean {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return (message, id) =>
    response.write(
      `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`,
    );
}

export const textResult = (text: string) => ({ content: [{ type: 'text', text }] });

/** The headers of a client in the session of that server. */
export const inSession = { ...rawHeaders, 'mcp-session-id': 'one', 'mcp-protocol-version': '2025-11-25' };
