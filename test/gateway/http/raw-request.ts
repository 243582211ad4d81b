import { once } from 'node:events';
import { connect } from 'node:net';

export const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
export const doors = { '/u/notes/mcp': 'write_note', '/mcp': 'notes__write_note' } as const;

export type Door = keyof typeof doors;

export interface Request {
  method?: string;
  path?: string;
  headers?: string[];
  body?: string | Buffer;
}

/** The call that must not reach the server, as this door takes it. */
export const callAt = (door: Door) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: doors[door], arguments: { text: 'bypass' }, _meta: meta },
  });
export const named = (door: Door) => [
  'MCP-Protocol-Version: 2026-07-28',
  'Mcp-Method: tools/call',
  `Mcp-Name: ${doors[door]}`,
];

/** The bytes of a request; the headers that it brings itself are not added. */
export function bytesOf({ method = 'POST', path = '/u/notes/mcp', headers = [], body = '' }: Request): Buffer {
  const has = (name: string): boolean => headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json, text/event-stream',
    ...(has('content-type') ? [] : ['Content-Type: application/json']),
    ...(has('content-length') || has('transfer-encoding') ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** The status of each answer on one connection, until so many have come or the gateway closes it. */
export async function send(url: string, bytes: Buffer, count = 1): Promise<number[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const statuses: number[] = [];
  socket
    .on('error', () => {})
    .on('data', (part) => {
      statuses.push(...[...part.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)));
      if (statuses.length >= count) socket.destroy();
    });
  socket.write(bytes);
  await once(socket, 'close');
  return statuses;
}
