import { canonicalText } from '../../../src/model/hashed-text.ts';
import { until } from '../../support/poll.ts';
import type { Pipe, SeenFrame } from '../peers.ts';

/** A client of 2025 by hand, whose messages are the same at every server. */
export class Session {
  readonly #pipe: Pipe & { setProtocolVersion?(version: string): void };
  #id = 0;

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
  }

  async begin(capabilities: object): Promise<void> {
    const protocolVersion = '2025-11-25';
    const params = { protocolVersion, capabilities, clientInfo: { name: 'by hand', version: '1' } };
    await this.#pipe.start();
    await this.ask('initialize', params);
    this.#pipe.setProtocolVersion?.(protocolVersion);
    await this.#pipe.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Sends a request, and says its id. */
  async send(method: string, params: object = {}): Promise<number> {
    this.#id += 1;
    const id = this.#id;
    await this.#pipe.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  answerTo = (id: number): Promise<SeenFrame> =>
    until(() => this.#pipe.seen.find((frame) => frame.method === undefined && frame.id === id));

  async ask(method: string, params: object = {}): Promise<SeenFrame> {
    return this.answerTo(await this.send(method, params));
  }

  /** The next request of the server with this method, which is answered so. */
  async answer(method: string, result: object): Promise<void> {
    const { id } = await until(() => this.#pipe.seen.find((frame) => frame.method === method));
    await this.#pipe.send({ jsonrpc: '2.0', id, result });
  }

  /** Waits until so many notifications of this method have come. */
  heard = (method: string, count: number): Promise<boolean> =>
    until(() => this.#pipe.seen.filter((frame) => frame.method === method).length >= count);
}

/** What the server sent: answers, requests and notifications, each in order, without what differs by itself. */
export function framesOf({ seen }: Pipe): { answers: string[]; requests: string[]; notifications: string[] } {
  const named = seen.filter(({ result }) => result?.['serverInfo'] === undefined); // at /mcp it speaks for all of them
  const isRequest = ({ method, id }: SeenFrame): boolean => method !== undefined && id !== undefined;
  const tasks: string[] = [];
  const text = (frame: SeenFrame): string => plain(frame, tasks);
  return {
    answers: named.filter(({ method }) => method === undefined).map(text),
    requests: named.filter(isRequest).map(({ id: _own, ...frame }) => text(frame)),
    notifications: named.filter((frame) => frame.method !== undefined && !isRequest(frame)).map(text),
  };
}

function plain(frame: SeenFrame, tasks: string[]): string {
  const { result } = frame;
  const tools = result?.['tools'] as { name: string }[] | undefined;
  const own = tools && { result: { ...result, tools: tools.filter(({ name }) => name !== 'awaitElicitationResult') } };
  return canonicalText({ ...frame, ...own })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{32}\b/g, (task) => `TASK-${nameOf(task, tasks)}`);
}

/** As which of the tasks it came first. */
function nameOf(task: string, tasks: string[]): number {
  if (!tasks.includes(task)) tasks.push(task);
  return tasks.indexOf(task) + 1;
}
