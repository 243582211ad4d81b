import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startNotes, type HttpNotes } from '../http/peers.ts';

/** A server that serves only who shows credentials that it knows. */
export interface PersonalNotes {
  url: string;
  notes: HttpNotes;
  /** The headers of each call of a tool, served or not. */
  called: IncomingHttpHeaders[];
  /** All headers of all requests, as text. */
  heard: string[];
  /** What it takes from now on, as the header has it. */
  taken: Set<string>;
  /** Does it take this header? By default what is in `taken`. */
  takes(header: string): boolean | Promise<boolean>;
  /** Are all requests refused without credentials, not calls alone? */
  isClosed: boolean;
  /** Its metadata by RFC 9728; null for none. */
  metadata: object | null;
  close(): Promise<void>;
}

const metadataPath = '/.well-known/oauth-protected-resource/mcp';

/** The notes server behind a door that asks for credentials. */
export async function startPersonalNotes(header = 'authorization'): Promise<PersonalNotes> {
  const notes = await startNotes();
  const http = createServer(async (request, response) => {
    const body = await text(request);
    const { method, headers } = request;
    if (door.metadata && request.url === metadataPath) return void response.end(JSON.stringify(door.metadata));
    door.heard.push(JSON.stringify(headers));
    const isCall = body.includes('"tools/call"');
    if (isCall) door.called.push(headers);
    if ((isCall || door.isClosed) && !(await door.takes(String(headers[header]))))
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    const onward = httpRequest(
      notes.url,
      { method, headers: { ...headers, host: new URL(notes.url).host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const door: PersonalNotes = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    notes,
    called: [],
    heard: [],
    taken: new Set(),
    takes: (header) => door.taken.has(header),
    isClosed: false,
    metadata: null,
    async close() {
      http.close().closeAllConnections();
      await notes.close();
    },
  };
  return door;
}
