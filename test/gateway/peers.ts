import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { AssentryClient } from '#sdk/client/client';
import { openOwnFiles } from '#gateway/own-files/own-files';
import { startRemote } from '#gateway/relay/start-remote';
import { startProcess, type ServerProcess } from '#gateway/upstreams/stdio';
import { wrap } from '#gateway/wrap';
import { compiled } from '../support/compiled.ts';
import { until } from '../support/poll.ts';
import { newFolder } from '../support/new-folder.ts';

/** A message as it went over a pipe. */
export interface SeenFrame {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: { code?: string } };
}

/** One connection to a server, as the client's side of the pipes has it; also a transport for clients of both SDKs. */
export interface Pipe {
  /** Everything the server's side has sent. */
  seen: SeenFrame[];
  write(text: string | Buffer): void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: never) => void;
  onclose?: () => void;
}

export interface WrappedServer extends Pipe {
  ended: Promise<number>;
  /** What the operator was told. */
  warnings: string[];
}

export interface NotesServer {
  words: [string, ...string[]];
  /** What the server has really done. */
  done(): string[];
  /** Of the tool that writes, from the next start on. */
  describe(description: string): void;
}

/** The command of the notes server, with a ledger of its own. */
export function notesServer(): NotesServer {
  const ledger = path.join(newFolder(), 'ledger');
  writeFileSync(ledger, '');
  const program = compiled('test/gateway/notes-server.ts');
  return {
    words: [process.execPath, program, ledger],
    done: () => readFileSync(ledger, 'utf8').split('\n').slice(0, -1),
    describe: (description) => writeFileSync(`${ledger}.description`, description),
  };
}

interface WrapSettings {
  client: AssentryClient | Promise<AssentryClient>;
  /** The folder of the pins; a new one if it is absent. */
  pins?: string;
  /** The data directory that no call may lead into. */
  directory?: string;
  holdTimeoutMs?: number;
  describesHeld?: boolean;
  signal?: AbortSignal;
}

/** The server behind the gateway. */
export function startWrapped(words: string[], settings: WrapSettings): WrappedServer {
  const [command = '', ...args] = words;
  return wrapUpstream(startProcess({ command, args, env: process.env }), words, settings);
}

/** The server at an address behind the gateway. */
export function startWrappedAt(
  url: string,
  settings: WrapSettings & { headers?: Record<string, string> },
): WrappedServer {
  const { client, headers = {} } = settings;
  const upstream = startRemote({ server: 'notes', url, headers, client: Promise.resolve(client), warn: () => {} });
  return wrapUpstream(Promise.resolve(upstream), [url], settings);
}

function wrapUpstream(
  starting: Promise<ServerProcess>,
  words: string[],
  {
    client,
    pins = newFolder(),
    directory = newFolder(),
    holdTimeoutMs,
    describesHeld = false,
    signal = new AbortController().signal,
  }: WrapSettings,
): WrappedServer {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const warnings: string[] = [];
  const options = {
    server: 'notes',
    reaches: words.join(' '),
    pins,
    ownFiles: openOwnFiles(directory, { variables: process.env, words }),
    stdin,
    stdout,
    holdTimeoutMs,
    describesHeld,
    client: Promise.resolve(client),
    warn: (sentence: string) => warnings.push(sentence),
    signal,
  };
  const ended = starting.then((upstream) => wrap({ ...options, upstream }));
  const end = async (): Promise<void> => {
    stdin.end();
    await ended;
  };
  void ended.then(() => stdout.end());
  return Object.assign(pipeOver(stdin, stdout, end), { ended, warnings });
}

/** The same server without it. */
export async function startDirect(words: string[]): Promise<Pipe> {
  const [command = '', ...args] = words;
  const upstream = await startProcess({ command, args, env: process.env });
  upstream.stderr.resume();
  return pipeOver(upstream.stdin, upstream.stdout, () => upstream.stop());
}

function pipeOver(writable: Writable, readable: Readable, end: () => Promise<void>): Pipe {
  const frames: SeenFrame[] = [];
  let rest = '';
  const pipe: Pipe = {
    seen: frames,
    write: (text) => void writable.write(text),
    start: async () => {},
    send: async (message) => void writable.write(`${JSON.stringify(message)}\n`),
    async close() {
      await end();
      pipe.onclose?.();
    },
  };
  readable.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const frame = JSON.parse(line) as SeenFrame;
      frames.push(frame);
      pipe.onmessage?.(frame as never);
    }
  });
  readable.on('end', () => pipe.onclose?.());
  return pipe;
}

/** A client of 2026-07-28, by hand: what it sends at once is up to the test. */
export async function callRaw(wrapped: WrappedServer, id: number, params: Record<string, unknown>): Promise<SeenFrame> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  await wrapped.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { _meta: meta, ...params } });
  return until(() => wrapped.seen.find((frame) => frame.id === id));
}

/** The tools of a list as their server has them: without what the gateway adds. */
export function withoutOwn<Tool extends { name: string; _meta?: object | undefined }>(tools: readonly Tool[]): Tool[] {
  return tools
    .filter(({ name }) => name !== 'awaitElicitationResult')
    .map(({ _meta, ...tool }) => {
      const others = Object.entries(_meta ?? {}).filter(([name]) => name !== 'assentry/held');
      return { ...tool, ...(others.length > 0 && { _meta: Object.fromEntries(others) }) } as Tool;
    });
}
