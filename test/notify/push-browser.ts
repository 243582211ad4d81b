import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { importJWK, jwtVerify } from 'jose';
import type { Device, DeviceList } from '#notify/contract/settings';
import type { PushPayload } from '#notify/push/channel';
import type { Browser } from '../support/nodes/console.ts';
import type { Received, Receiver } from './receiver.ts';
import { json } from '../support/json.ts';

/** A browser with a subscription at a push service on this machine. */
export interface PushBrowser {
  id: Device['id'];
  endpoint: string;
  /** What it has received so far. Each message is signed by the installation (RFC 8292) and opens here only (RFC 8291). */
  read(): Promise<PushPayload[]>;
}

let count = 0;

/** Subscribes as a browser does, and tells Assentry of it. */
export async function openPushBrowser(receiver: Receiver, { call }: Browser): Promise<PushBrowser> {
  const { key } = await json<DeviceList>(call('GET', '/api/notifications/devices'));
  const { subscription, decrypt } = newSubscription(receiver);
  const answer = await call('POST', '/api/notifications/devices', subscription);
  expect(answer.status).toBe(201);
  const { id } = await json<Device>(answer);
  const { endpoint } = subscription;
  const { origin, pathname } = new URL(endpoint);
  return {
    id,
    endpoint,
    read: () =>
      Promise.all(
        receiver.received
          .filter(({ path }) => path === pathname)
          .map(async (message) => {
            await verifySender(message, { key, origin });
            return JSON.parse(decrypt(message.bytes)) as PushPayload;
          }),
      ),
  };
}

/** What `PushManager.subscribe` makes, and what opens the messages. */
export function newSubscription(receiver: Pick<Receiver, 'url'>) {
  const pair = createECDH('prime256v1');
  const [own, secret] = [pair.generateKeys(), randomBytes(16)];
  const keys = { p256dh: own.toString('base64url'), auth: secret.toString('base64url') };
  const endpoint = new URL(`/push/${++count}`, receiver.url).href;
  const decrypt = (bytes: Buffer): string => {
    const [salt, server] = [bytes.subarray(0, 16), bytes.subarray(21, 21 + bytes.readUInt8(20))];
    const encrypted = bytes.subarray(21 + server.length);
    const expand = (key: Uint8Array, by: Uint8Array, info: (string | Uint8Array)[], length: number): Buffer =>
      Buffer.from(hkdfSync('sha256', key, by, Buffer.concat(info.map((part) => Buffer.from(part))), length));
    const input = expand(pair.computeSecret(server), secret, ['WebPush: info\0', own, server], 32);
    const key = expand(input, salt, ['Content-Encoding: aes128gcm\0'], 16);
    const decipher = createDecipheriv('aes-128-gcm', key, expand(input, salt, ['Content-Encoding: nonce\0'], 12));
    decipher.setAuthTag(encrypted.subarray(-16));
    const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  };
  return { subscription: { endpoint, keys }, decrypt };
}

async function verifySender({ headers }: Received, { key, origin }: { key: string; origin: string }): Promise<void> {
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: expect.stringMatching(/^\d+$/) });
  const [, token = '', named = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  expect(named).toBe(key);
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'), { audience: origin });
}
