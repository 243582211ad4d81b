import { canonicalText } from '#platform/model/hashed-text';
import { until } from '../../support/poll.ts';
import { withoutOwn, type Pipe, type SeenFrame } from '../peers.ts';

/** A client by hand, whose messages are the same at every server. */
export class Session {
  readonly #pipe: Pipe & { setProtocolVersion?(version: string): void };
  readonly #meta: object | undefined;
  #id = 0;

  /** With `meta`, each request names its client, as since 2026-07-28. */
  constructor(pipe: Pipe, meta?: object) {
    this.#pipe = pipe;
    this.#meta = meta;
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
  async send(method: string, params: { _meta?: object; [member: string]: unknown } = {}): Promise<number> {
    this.#id += 1;
    const id = this.#id;
    const _meta = this.#meta && { _meta: { ...this.#meta, ...params._meta } };
    await this.#pipe.send({ jsonrpc: '2.0', id, method, params: { ...params, ..._meta } });
    return id;
  }

  answerTo = (id: number): Promise<SeenFrame> =>
    until(() => this.#pipe.seen.find((frame) => frame.method === undefined && frame.id === id));

  async ask(method: string, params: Parameters<Session['send']>[1] = {}): Promise<SeenFrame> {
    return this.answerTo(await this.send(method, params));
  }

  /** Gives up a request. */
  cancel = (requestId: number): Promise<void> =>
    this.#pipe.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

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
    notifications: named
      .filter((frame) => frame.method !== undefined && !isRequest(frame))
      .toSorted((frame, other) => subscriptionOf(frame) - subscriptionOf(other))
      .map(text),
  };
}

/** Each subscription has a stream of its own over HTTP. */
const subscriptionOf = ({ params }: SeenFrame): number =>
  Number((params?.['_meta'] as Record<string, unknown> | undefined)?.['io.modelcontextprotocol/subscriptionId'] ?? 0);

function plain(frame: SeenFrame, tasks: string[]): string {
  const { result } = frame;
  const tools = result?.['tools'] as { name: string }[] | undefined;
  const own = tools && { result: { ...result, tools: withoutOwn(tools) } };
  return canonicalText({ ...frame, ...own })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"io.modelcontextprotocol\/serverInfo":\{[^}]*\}/g, '"SERVER":{}') // at /mcp that of all of them
    .replaceAll('Server \\"notes\\": ', '') // the gateway says who asks
    .replaceAll(/"requestState":"(?:once|twice|[\w-]{64,})"/g, '"requestState":"STATE"') // the gateway’s own in place of it
    .replaceAll(/\b[0-9a-f]{32}\b/g, (task) => `TASK-${nameOf(task, tasks)}`);
}

/** As which of the tasks it came first. */
function nameOf(task: string, tasks: string[]): number {
  if (!tasks.includes(task)) tasks.push(task);
  return tasks.indexOf(task) + 1;
}
