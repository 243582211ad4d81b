import type { ExportedEntry } from '../exports/rules/file.ts';
import { streamLine } from '../exports/rules/cef.ts';
import { syslogFrame } from '../exports/rules/syslog.ts';
import { sha256, sha256Hex } from '#platform/crypto/digest';
import { signWebhook } from '#notify/webhooks/rules';
import type { Engine } from '#platform/nodes/verbs/engine';
import { type Deliver, type StreamBatch, streamLog } from './verbs.ts';
import type { LogStream, StreamWays, StreamTls, StreamSign } from './contract.ts';
import { DeliveryFailure } from '#notify/channel/delivery-failure';
import { createWebhookClient } from '#notify/webhooks/channel/webhooks';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { createLoop, untilDue, type Loop } from '#platform/nodes/loops/loop';
import type { StreamState } from '#platform/nodes/contract/ready';

type Send = (batch: StreamBatch) => Promise<void>;
type Sending = Pick<Engine, 'now' | 'publicUrl'>;

/** Sender of this stream's batches. */
export function createDeliver(engine: Sending, stream: LogStream, ways: StreamWays): Deliver {
  const send = stream.url.startsWith('https:')
    ? webhookSender(engine, stream, ways)
    : syslogSender(engine, stream, ways);
  return (batch) =>
    send(batch).then(
      () => null,
      (error: unknown) => {
        if (error instanceof DeliveryFailure) return { code: error.code, wait: error.wait };
        throw error;
      },
    );
}

function syslogSender({ publicUrl }: Sending, { url, format }: LogStream, { tls }: StreamWays): Send {
  return async ({ origin, entries }) => {
    const host = new URL(publicUrl()).hostname;
    const frames = entries.map((entry) => syslogFrame(format, { origin, host }, entry));
    await sendSyslog(url, tls, Buffer.concat(frames));
  };
}

/** The operator alone names these addresses, so they may be anywhere. */
const everywhere = ['0.0.0.0/0', '::/0'];

/**
 * Equal entries have an equal id, however often they are sent. Others have another one, also at the same places: a
 * restored older backup gives these to new entries, which a receiver that knows the id would throw away.
 */
function webhookSender({ now }: Sending, { name, url, format }: LogStream, { secret, tls }: StreamWays): Send {
  const client = createWebhookClient({ networks: everywhere, ...tls });
  return async ({ origin, from, to, entries }) => {
    const at = now();
    const head = JSON.stringify({ type: 'log.entries', timestamp: new Date(at).toISOString() }).slice(0, -1);
    const data = JSON.stringify({ log: origin, from, to, format }).slice(0, -1);
    const lines = entries.map((entry) => streamLine(format, origin, entry)).join();
    const body = `${head},"data":${data},"entries":[${lines}]}}`;
    const id = `${name}-${from}-${to}-${digestOf(entries)}`;
    await client.post(url, signWebhook(secret ?? '', { id, at, body }), body);
  };
}

/** Digest of their bodies in the log: anything else about an entry can change. */
const digestOf = (entries: ExportedEntry[]): string =>
  sha256Hex(Buffer.concat(entries.map(({ body }) => sha256(body)))).slice(0, 16);

/** Milliseconds from the beginning of the connection until the receiver has closed it. */
const timeoutMs = 15_000;
/** Port of syslog over TLS (RFC 5425). */
const defaultPort = 6514;

/**
 * Sends the bytes over a connection of their own. Syslog has no receipt; so this closes its side first, and resolves
 * when the receiver, who has then read everything, has closed the other without an error.
 */
function sendSyslog(address: string, tls: StreamTls, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open(address, tls);
    const timer = setTimeout(() => socket.destroy(new DeliveryFailure('ETIMEDOUT')), timeoutMs);
    let [isWritten, isAnswered] = [false, false];
    socket.once('secureConnect', () => socket.end(bytes));
    socket.once('finish', () => (isWritten = true));
    socket.once('end', () => (isAnswered = isWritten));
    socket.once('error', (error) => reject(failureOf(error)));
    socket.once('close', () => {
      clearTimeout(timer);
      if (isAnswered) resolve();
      else reject(new DeliveryFailure('closed-early'));
    });
    socket.resume();
  });
}

/** The certificate must be for the name, whatever the environment says. */
function open(address: string, tls: StreamTls): TLSSocket {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? host : '';
  return connect({ ...tls, host, port: Number(port) || defaultPort, servername, rejectUnauthorized: true });
}

function failureOf(error: NodeJS.ErrnoException): DeliveryFailure {
  return error instanceof DeliveryFailure ? error : new DeliveryFailure(error.code ?? 'unknown');
}

/** Milliseconds between two looks without a sign; the signs of a node say all. */
const every = 600_000;

/** Streams the log to each receiver while the node runs; none waits for another. */
export const createStreamLoops = (engine: Engine, node: string, ways: StreamWays, log: Logger): Loop[] =>
  ways.streams.map((stream) => createStreamLoop(engine, node, { stream, ways }, log));

function createStreamLoop(
  engine: Engine,
  node: string,
  { stream, ways }: { stream: LogStream; ways: StreamWays },
  log: Logger,
): Loop {
  const { name } = stream;
  const deliver = createDeliver(engine, stream, ways);
  const report = createStreamReporter(engine, log);
  const loop = createLoop(every, log, `the stream ${name}`, async () => {
    if (await streamLog(engine, { name, node }, deliver)) loop.within(0);
  });
  const onSigns: Loop['onSigns'] = ({ streams }) => {
    const sign = streams.find((each) => each.name === name);
    if (!sign) return loop.within(0); // it is new, or was forgotten
    report(sign);
    if (waits(sign)) loop.within(untilDue(sign.holder === node ? engine.now() : sign.heldUntil, engine.now()));
  };
  const stop = async (): Promise<void> => {
    await loop.stop();
    await engine.streams.release(name, node).catch((err: unknown) => log.warn({ err }, 'a stream was not released'));
  };
  return { ...loop, onSigns, stop };
}

/** Is there something to deliver, or to try again? */
const waits = ({ delivered, size, fault }: StreamState): boolean => delivered !== size || fault !== null;

/** Says how the stream stands, and in the node's log if it begins to fail or goes on. */
function createStreamReporter({ health }: Engine, log: Logger): (sign: StreamSign) => void {
  let isFailing = false;
  return ({ holder: _holder, heldUntil: _until, ...state }) => {
    const { name: stream, fault } = state;
    health.hearStream(state);
    if (fault !== null && !isFailing) log.warn({ stream, code: fault }, 'a stream of the log fails');
    if (fault === null && isFailing) log.info({ stream }, 'a stream of the log goes on');
    isFailing = fault !== null;
  };
}
