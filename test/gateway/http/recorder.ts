import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '#gateway/frames/frame';

export interface Recorder {
  url: string;
  /** The bodies of everything it was sent, letter by letter. */
  bodies: string[];
  close(): void;
}

const tools = ['read_note', 'write_note'].map((name) => ({ name, inputSchema: { type: 'object' } }));

const serverInfo = { name: 'recorder', version: '1' };
const results: Record<string, object> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
  'tools/list': { tools },
};

/** A server with two tools, which answers everything and runs nothing. */
export async function startRecorder(): Promise<Recorder> {
  const bodies: string[] = [];
  const http = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('latin1');
      bodies.push(body);
      const { id, method } = read(body);
      if (id === undefined) return void response.writeHead(202).end();
      const result = results[method ?? ''] ?? {};
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    bodies,
    close: () => void http.close().closeAllConnections(),
  };
}

function read(body: string): { id?: unknown; method?: string } {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
