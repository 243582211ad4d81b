import { EventSourceParserStream } from 'eventsource-parser/stream';
import { post } from '../http/raw-post.ts';
import type { Pipe, SeenFrame } from '../peers.ts';

interface Sent {
  id?: number;
  method: string;
  params: { name?: string; uri?: string; taskId?: string; requestId?: number };
}

/** The requests of a client of 2026-07-28 to this address, one by one, as a pipe. To cancel one is to leave its stream. */
export function requestsTo(url: string): Pipe {
  const frames: SeenFrame[] = [];
  const open = new Map<unknown, AbortController>();
  const take = (text: string): void => {
    const frame = JSON.parse(text) as SeenFrame;
    if (pipe.onmessage) pipe.onmessage(frame as never);
    else frames.push(frame);
  };
  const exchange = async ({ id, ...frame }: Sent): Promise<void> => {
    const { name, uri, taskId } = frame.params;
    const about = name ?? uri ?? taskId;
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': frame.method,
      ...(about !== undefined && { 'mcp-name': about }),
    };
    const leaving = new AbortController();
    open.set(id, leaving);
    const response = await post(url, { jsonrpc: '2.0', id, ...frame }, headers, leaving.signal);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return take(await response.text());
    const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data } of events ?? []) if (data !== '') take(data);
  };
  const pipe: Pipe = {
    seen: frames,
    write: () => {},
    start: async () => {},
    async send(message) {
      const sent = message as Sent;
      if (sent.method === 'notifications/cancelled') return open.get(sent.params.requestId)?.abort();
      void exchange(sent).catch(() => {}); // it was left
    },
    async close() {
      for (const leaving of open.values()) leaving.abort();
    },
  };
  return pipe;
}
