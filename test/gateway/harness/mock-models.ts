import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';

/** A tool that the model calls, and with what. */
export type Call = [tool: string, input: Record<string, unknown>];

export interface MockModel {
  url: string;
  /** What the agent has said of each call, in order. */
  results: string[];
  /** The tools that the agent has offered. */
  offered: Set<string>;
  close(): Promise<void>;
}

interface Part {
  type: string;
  content?: unknown;
  output?: unknown;
}

interface Question {
  model: string;
  tools?: { name?: string }[];
  messages?: { content: Part[] | string }[];
  input?: Part[];
}

/** A model that makes these calls one after the other, for Claude Code (Messages) and for Codex (Responses). */
export async function startModel(calls: Call[]): Promise<MockModel> {
  const model: Omit<MockModel, 'url' | 'close'> = { results: [], offered: new Set() };
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isResponses = request.url?.endsWith('/responses');
    if (request.method !== 'POST' || !(isResponses || /\/messages(?:\?|$)/.test(request.url ?? '')))
      return void response.end('{}');
    const { tools = [], messages = [], input = [], model: name } = (await readJson(request)) as Question;
    for (const { name: tool = '' } of tools) model.offered.add(tool);
    const parts = [...input, ...messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))];
    const results = parts.filter(({ type }) => /^(?:tool_result|.*_call_output)$/.test(type));
    model.results.splice(0, Infinity, ...results.map(({ content, output }) => JSON.stringify(content ?? output)));
    const call = tools.length > 0 ? calls[results.length] : undefined;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of isResponses ? responsesFor(call, results.length) : messagesFor(name, call, results.length))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(model, { url, close: async () => void server.close() });
}

type Event = { type: string; [member: string]: unknown };

function messagesFor(model: string, call: Call | undefined, at: number): Event[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const block = call ? { type: 'tool_use', id: `t${at}`, name: call[0], input: {} } : { type: 'text', text: '' };
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call[1]) }
    : { type: 'text_delta', text: 'done' };
  return [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model, content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}

function responsesFor(call: Call | undefined, at: number): Event[] {
  const item = call
    ? { type: 'function_call', id: `f${at}`, call_id: `c${at}`, name: call[0], arguments: JSON.stringify(call[1]) }
    : { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r', usage } },
  ];
}
