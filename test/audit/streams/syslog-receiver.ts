import { once } from 'node:events';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { certificate } from '../../notify/certificate.ts';

/** A message of syslog, read letter by letter as RFC 5424 has it. */
export interface SyslogMessage {
  facility: number;
  severity: number;
  at: number;
  host: string;
  app: string;
  type: string;
  text: string;
}

/** A receiver of syslog over TLS on this machine. It counts a message when it has read all of it. */
export interface SyslogReceiver {
  url: string;
  messages: SyslogMessage[];
  /** What breaks RFC 5424 or RFC 5425; the test expects nothing. */
  faults: string[];
  /** Is a connection open that it does not read from any more? */
  isStuck(): boolean;
  /** From now on it reads this many messages, and then nothing: neither of this connection nor of others. */
  stick(after: number): void;
  /** It loses its power after this many messages: connections end at once, and no other one is taken. */
  cut(after: number): void;
  /** Reads again; what it had not read of earlier connections is lost. */
  recover(): void;
  stop(): Promise<void>;
}

export async function openSyslogReceiver(options: TlsOptions = {}, port = 0): Promise<SyslogReceiver> {
  const messages: SyslogMessage[] = [];
  const faults: string[] = [];
  let [rest, isCut, isStuck] = [Infinity, false, false];
  const take = (socket: TLSSocket, frame: Buffer): boolean => {
    if (rest === 0) {
      isStuck = true;
      socket.pause();
      if (isCut) void stopAll();
      return false;
    }
    rest -= 1;
    const message = readMessage(frame);
    if (typeof message === 'string') faults.push(message);
    else messages.push(message);
    return true;
  };
  const readers = new Set<TLSSocket>();
  const server = createServer({ ...certificate, ...options }, (socket) => {
    readers.add(socket);
    socket.on('error', () => {}).once('close', () => readers.delete(socket));
    readFrames(socket, (frame) => take(socket, frame), faults);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const network = await openNetwork(server.address() as AddressInfo, port);
  const cut = (): void => {
    network.cut();
    for (const socket of readers) socket.destroy(); // one that was paused would never hear of it
  };
  const stopAll = async (): Promise<void> => {
    const stopped = [network.stop(), new Promise((resolve) => server.close(resolve))];
    cut();
    await Promise.all(stopped);
  };
  return {
    url: `syslog+tls://localhost:${network.port}`,
    messages,
    faults,
    isStuck: () => isStuck,
    stick: (after) => void (rest = after),
    cut: (after) => void ([rest, isCut] = [after, true]),
    recover() {
      [rest, isStuck] = [Infinity, false];
      cut();
    },
    stop: stopAll,
  };
}

/** The way to the receiver, which can be cut at once, as by a power failure. */
async function openNetwork(to: AddressInfo, port: number) {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };
  const front = createTcpServer({ allowHalfOpen: true }, (near) => {
    const far = keep(connect({ port: to.port, host: to.address, allowHalfOpen: true }));
    keep(near).pipe(far).pipe(near);
  });
  front.listen(port, 'localhost');
  await once(front, 'listening');
  // Node.js loses a socket that is reset while it is ending, and then its process never ends.
  const drop = (socket: Socket): Socket => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());
  const cut = (): void => sockets.forEach(drop);
  const stop = () => new Promise((resolve) => front.close(resolve));
  return { port: (front.address() as AddressInfo).port, cut, stop };
}

/** Octet counting: a length, a space, and so many bytes. */
function readFrames(socket: TLSSocket, take: (frame: Buffer) => boolean, faults: string[]): void {
  let bytes = Buffer.alloc(0);
  let isOpen = true;
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (isOpen) {
      const [head, length = ''] = /^([1-9]\d{0,6}) /.exec(bytes.subarray(0, 8).toString('latin1')) ?? [];
      if (head === undefined && bytes.length >= 8) faults.push('no length');
      const end = (head?.length ?? 0) + Number(length);
      if (head === undefined || bytes.length < end) return;
      const frame = bytes.subarray(head.length, end);
      bytes = bytes.subarray(end);
      isOpen = take(frame);
    }
  });
  socket.once('end', () => {
    if (isOpen && bytes.length > 0) faults.push('a message was cut off');
  });
}

const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)`;
const grammar = new RegExp(
  String.raw`^<(0|[1-9]\d{0,2})>1 (${date}T${time}) ([!-~]{1,255}) ([!-~]{1,48}) - ([!-~]{1,32}) -(?: ([^]*))?$`,
);
const mark = Buffer.from('\u{FEFF}');

/** A sentence if it is none. */
export function readMessage(frame: Buffer): SyslogMessage | string {
  const [, priority, at, host = '', app = '', type = '', text = ''] = grammar.exec(frame.toString('latin1')) ?? [];
  if (at === undefined || Number(priority) > 191) return `no message of syslog: ${frame.toString()}`;
  const body = Buffer.from(text, 'latin1');
  const isMarked = body.subarray(0, 3).equals(mark);
  if (!isMarked && !/^[ -~]*$/.test(text)) return `neither ASCII nor marked as UTF-8: ${body.toString()}`;
  const decoded = new TextDecoder('utf-8', { fatal: true }).decode(body);
  const facility = Math.floor(Number(priority) / 8);
  return { facility, severity: Number(priority) % 8, at: Date.parse(at), host, app, type, text: decoded };
}
