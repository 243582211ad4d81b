import type { ExportedEntry } from '../../exports/rules/file/export-file.ts';
import { streamLine } from '../../exports/rules/cef/stream-line.ts';
import { syslogFrame } from '../../exports/rules/syslog.ts';
import { sha256, sha256Hex } from '#platform/crypto/digest/digest';
import { signWebhook } from '#notify/webhooks/rules/webhook-signature';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { Deliver, StreamBatch } from '../verbs.ts';
import type { LogStream, StreamWays } from '../contract.ts';
import { DeliveryFailure } from '#notify/channel/delivery-failure';
import { createWebhookClient } from '#notify/webhooks/channel/webhooks/webhook-client';
import { sendSyslog } from './syslog-client.ts';

type Send = (batch: StreamBatch) => Promise<void>;
type Sending = Pick<Engine, 'now' | 'publicUrl'>;

/** How the batches of this stream are sent. */
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
 * The same entries have the same id, however often they are sent. Others have another one, also at the same places: a
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

/** Of what the log has of them: what else is said about an entry can change. */
const digestOf = (entries: ExportedEntry[]): string =>
  sha256Hex(Buffer.concat(entries.map(({ body }) => sha256(body)))).slice(0, 16);
