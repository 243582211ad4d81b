import { randomUUID } from 'node:crypto';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { Inbox } from '#requests/inbox/contract/inbox';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import type { Prepared } from '../prepared.ts';
import { accepted, question } from '../question.ts';

/** An MCP server and an approver's browser, over kept connections, with as little of a client as can be. */
export interface HttpCaller {
  open(): Promise<OpenedElicitation>;
  vote(elicitation: Pick<OpenedElicitation, 'id' | 'digest'>): Promise<void>;
  /** Reads a page of the approver's inbox. */
  list(query: string): Promise<void>;
  /** Reads the stream of outcomes from now on. */
  listen(onOutcome: (state: ElicitationState) => void): Promise<{ close(): void }>;
  /** Holds one connection until the elicitation closes or the server's patience ends. */
  poll(id: string): { close(): void };
  close(): void;
}

export async function createHttpCaller(url: string, { key, user, password }: Prepared): Promise<HttpCaller> {
  const agent = new Agent({ keepAlive: true, timeout: 4_000 }); // idle ones are closed before the server does it
  const json = { 'content-type': 'application/json' };
  const bearer = { authorization: `Bearer ${key}` };
  const post = (path: string, headers: Record<string, string>, body: unknown): Promise<Answer> =>
    send(new URL(path, url), agent, { ...json, ...headers }, JSON.stringify(body));
  const signedIn = await post('/api/session', { origin: url }, { email: user.email, password });
  const cookie = signedIn.cookie.split(';')[0] ?? '';
  return {
    async open() {
      const { text } = await post('/v1/elicitations', bearer, { ...question, call: randomUUID() });
      return JSON.parse(text) as OpenedElicitation;
    },
    vote: async ({ id, digest }) =>
      void (await post(`/api/elicitations/${id}/vote`, { origin: url, cookie }, { ...accepted, digest })),
    async list(query) {
      const response = await fetch(new URL(`/api/elicitations?${query}`, url), { headers: { cookie } });
      if (!response.ok) throw new TypeError(`${query}: ${response.status}`);
      const { items } = (await response.json()) as Inbox;
      const unreadable = items.filter(({ isUnreadable }) => isUnreadable);
      if (unreadable.length > 0) throw new TypeError(`${query}: ${unreadable.length} rows cannot be read.`);
    },
    listen: (onOutcome) => listen(new URL('/v1/stream', url), bearer, onOutcome),
    poll(id) {
      const elicitation = request(new URL(`/v1/elicitations/${id}?wait=25`, url), { agent: false, headers: bearer });
      elicitation.on('error', () => {}).end(); // closing it is an error to it
      return { close: () => void elicitation.destroy() };
    },
    close: () => agent.destroy(),
  };
}

interface Answer {
  text: string;
  cookie: string;
}

async function send(url: URL, agent: Agent, headers: Record<string, string>, body: string): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } }, resolve)
      .on('error', reject)
      .end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if ((response.statusCode ?? 500) >= 300) throw new TypeError(`${url.pathname}: ${response.statusCode} ${text}`);
  return { text, cookie: response.headers['set-cookie']?.[0] ?? '' };
}

/** Resolves once the server says that nothing will be missed. */
function listen(url: URL, headers: Record<string, string>, onOutcome: (state: ElicitationState) => void) {
  return new Promise<{ close(): void }>((resolve, reject) => {
    const elicitation = request(url, { agent: false, headers }, (response) => {
      const parser = createParser({
        onEvent({ event, data }) {
          if (event === 'ready') resolve({ close: () => void elicitation.destroy() });
          if (event === 'elicitation') onOutcome(JSON.parse(data) as ElicitationState);
        },
      });
      const decoder = new TextDecoder();
      response.on('data', (chunk: Buffer) => parser.feed(decoder.decode(chunk, { stream: true })));
      response.on('error', () => {}); // closed by us
    });
    elicitation.on('error', reject).end();
  });
}
