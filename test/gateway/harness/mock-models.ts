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
  close(): Promise<void>;
}

interface Part {
  type: string;
  content?: unknown;
  output?: unknown;
}

interface Question {
  model: string;
  tools?: { name?: string; function?: { name: string }; functionDeclarations?: { name: string }[] }[];
  messages?: { role: string; content: Part[] | string | null }[];
  input?: Part[];
  contents?: { parts: { functionResponse?: { response: unknown } }[] }[];
}

/** The protocols of models, by the end of the address: which parts are results, and what is answered. */
const protocols: { address: RegExp; answer(question: Question, call: Call | undefined, at: number): string }[] = [
  { address: /\/messages(?:\?|$)/, answer: ({ model }, call, at) => named(messagesFor(model, call, at)) },
  { address: /\/responses$/, answer: (_, call, at) => named(responsesFor(call, at)) },
  { address: /\/chat\/completions$/, answer: ({ model }, call, at) => chunksFor(model, call, at) },
  { address: /:(?:streamG|g)enerateContent/, answer: (_, call) => `data: ${JSON.stringify(contentFor(call))}\r\n\r\n` },
];

const named = (events: Event[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const toolNames = ({ tools = [] }: Question): string[] =>
  tools.flatMap(({ name, function: own, functionDeclarations = [] }) => [
    name ?? own?.name ?? '',
    ...functionDeclarations.map((declared) => declared.name),
  ]);

/** What the person said first, without what the agent says of itself. */
const openingOf = ({ messages = [], contents = [], input = [] }: Question): string =>
  JSON.stringify([
    messages
      .filter(({ role }) => role === 'user')
      .slice(0, 1)
      .map(({ content }) => content),
    contents.slice(0, 2),
    input.filter((part) => part.type === 'message').slice(0, 3),
  ]);

function resultsIn({ messages = [], input = [], contents = [] }: Question): unknown[] {
  const parts = [...input, ...messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))];
  return [
    ...parts
      .filter(({ type }) => /^(?:tool_result|.*_call_output)$/.test(type))
      .map(({ content, output }) => content ?? output),
    ...messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
    ...contents.flatMap(({ parts: all }) => all).flatMap(({ functionResponse }) => functionResponse?.response ?? []),
  ];
}

/**
 * A model that makes these calls one after the other, in the protocol that the agent speaks; which calls, depends on how the
 * conversation opens. `results` are those of the last conversation with the first calls.
 */
export async function startModel(callsFor: (opening: string) => Call[]): Promise<MockModel> {
  const model: Omit<MockModel, 'url' | 'close'> = { results: [] };
  const first = callsFor('');
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const protocol = protocols.find(({ address }) => address.test(request.url ?? ''));
    if (request.method !== 'POST' || !protocol) return void response.end('{}');
    const question = (await readJson(request)) as Question;
    const tools = toolNames(question);
    const results = resultsIn(question);
    const calls = callsFor(openingOf(question));
    if (calls === first) model.results = results.map((result) => JSON.stringify(result));
    const call = tools.length > 0 ? calls[results.length] : undefined;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(protocol.answer(question, call, results.length));
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

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function chunksFor(model: string, call: Call | undefined, at: number): string {
  const own = call && { name: call[0], arguments: JSON.stringify(call[1]) };
  const delta = {
    role: 'assistant',
    ...(own ? { tool_calls: [{ index: 0, id: `c${at}`, type: 'function', function: own }] } : { content: 'done' }),
  };
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model };
  const choices = [{ index: 0, delta, finish_reason: null }];
  const end = [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }];
  const events = [
    { ...chunk, choices },
    { ...chunk, choices: end, usage },
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}

const contentFor = (call: Call | undefined) => ({
  candidates: [
    {
      index: 0,
      finishReason: 'STOP',
      content: { role: 'model', parts: [call ? { functionCall: { name: call[0], args: call[1] } } : { text: 'done' }] },
    },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});
