import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ElicitationState } from '#requests/asking/contract/open';

export interface Heard {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

type Reply = (request: Heard, response: ServerResponse) => void;

export interface ScriptedServer {
  url: string;
  heard: Heard[];
  /** Streams that are open now. */
  streams: Set<ServerResponse>;
  connections(): Promise<number>;
  stop(): Promise<void>;
}

/** A real HTTP server that answers as the test says: failures on the way cannot be had from the real one at will. */
export async function startScriptedServer(reply: Reply): Promise<ScriptedServer> {
  const heard: Heard[] = [];
  const streams = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    const { method = '', url: path = '', headers } = request;
    heard.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) });
    if (path === '/v1/stream') {
      streams.add(response);
      response.once('close', () => streams.delete(response));
    }
    reply(heard.at(-1) as Heard, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    streams,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function openStream(response: ServerResponse, id = '1'): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: ready\nid: ${id}\ndata: {}\n\n`);
}

export const problemBody = (status: number, code: string, more = {}) => ({
  type: 'about:blank',
  title: 'No',
  status,
  code,
  errorId: 'err_0123456789abcdef',
  ...more,
});

export const elicitationId = `eli_${'a'.repeat(22)}` as const;
export const toolCallId = `call_${'c'.repeat(22)}` as const;

export const stateOf = (changes: Partial<ElicitationState> = {}): ElicitationState => ({
  id: elicitationId,
  toolCall: toolCallId,
  step: '0',
  status: 'open',
  audience: 'approvers',
  mode: 'form',
  action: null,
  cause: null,
  comment: null,
  openedAt: 1,
  deadlineAt: 2,
  closedAt: null,
  revision: 0,
  digest: 'd'.repeat(64),
  statusUrl: 'http://127.0.0.1/x',
  ...changes,
});

export const accepted = stateOf({ status: 'accepted', action: 'accept', content: { confirmed: true }, closedAt: 2 });
