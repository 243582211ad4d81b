import type { Pipe, SeenFrame } from '../peers.ts';

/** One of several servers behind the same address, as if it were alone: its own names, and nothing of the others. */
export function asOne(inner: Pipe, upstream: string): Pipe {
  const frames: SeenFrame[] = [];
  const pipe: Versioned = {
    seen: frames,
    write: (text: string | Buffer) => inner.write(text),
    start: () => inner.start(),
    close: () => inner.close(),
    send: (message: Sent) => inner.send(prefixed(message, upstream)),
    setProtocolVersion: (version: string) => (inner as Versioned).setProtocolVersion?.(version),
  };
  inner.onclose = () => pipe.onclose?.();
  inner.onmessage = (message: SeenFrame) => {
    const own = stripped(message, upstream);
    frames.push(own);
    pipe.onmessage?.(own as never);
  };
  return pipe;
}

interface Versioned extends Pipe {
  setProtocolVersion?(version: string): void;
}

interface Sent {
  method?: string;
  params?: {
    name?: string;
    uri?: string;
    taskId?: string;
    ref?: { name?: string; uri?: string };
    notifications?: object;
  };
}

/** What a client of all servers would send in place of it. */
function prefixed(message: Sent, upstream: string): object {
  const [name, address] = marksOf(upstream);
  const { params } = message;
  const isNamed = message.method === 'tools/call' || message.method === 'prompts/get';
  return {
    ...message,
    ...(params && {
      params: {
        ...params,
        ...(isNamed && { name: name + params.name }),
        ...(params.uri !== undefined && { uri: address + params.uri }),
        ...(params.taskId !== undefined && { taskId: `${upstream}/${params.taskId}` }),
        ...(params.ref?.name !== undefined && { ref: { ...params.ref, name: name + params.ref.name } }),
        ...(params.ref?.uri !== undefined && { ref: { ...params.ref, uri: address + params.ref.uri } }),
        ...(params.notifications && { notifications: subscribed(params.notifications, address) }),
      },
    }),
  };
}

function subscribed(filter: { resourceSubscriptions?: string[] }, address: string): object {
  const { resourceSubscriptions: uris } = filter;
  return { ...filter, ...(uris && { resourceSubscriptions: uris.map((uri) => address + uri) }) };
}

const marksOf = (upstream: string) => [`${upstream}__`, `upstream:${upstream}/`] as const;

const lists = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' };

/** Without the entries of others, and without the prefixes. */
function stripped(message: SeenFrame, upstream: string): SeenFrame {
  const [name, address] = marksOf(upstream);
  const { result } = message;
  const kept = Object.entries(lists).flatMap(([member, key]) => {
    const list = result?.[member] as Record<string, string>[] | undefined;
    if (!Array.isArray(list)) return [];
    const isOwn = (entry: Record<string, string>): boolean =>
      entry[key]?.startsWith(key === 'name' ? name : address) === true;
    return [[member, list.filter(isOwn)] as const];
  });
  const own = { ...message, ...(result && { result: { ...result, ...Object.fromEntries(kept) } }) };
  const unnamed = new RegExp(`"(uri|uriTemplate|taskId)":"(?!${address}|${upstream}/)`, 'g'); // they would lead nowhere
  const text = JSON.stringify(own).replaceAll(unnamed, '"$1":"unnamed ').replaceAll(name, '').replaceAll(address, '');
  return JSON.parse(text.replaceAll(`"taskId":"${upstream}/`, '"taskId":"')) as SeenFrame;
}
