import { z } from 'zod';
import { isTimeZone } from '#platform/model/names';
import { deliveryChannels, notificationKinds, digests } from './notification.ts';
import { languages } from '#platform/text/language';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { ElicitationId, Moment, storable } from '#requests/asking/contract/open';

/** API for people's notification settings, and for the recipients of a request's notifications. */
const Minute = z.int().min(0).max(1439).meta({ description: 'Minutes after midnight of the time zone.' });

const QuietHours = z.strictObject({ from: Minute, until: Minute }).refine(({ from, until }) => from !== until, {
  path: ['until'],
  error: 'Choose an end that differs from the start.',
});

const TimeZone = z.string().max(64).refine(isTimeZone, 'Give a time zone such as Europe/Berlin.');

export const NotificationSettings = z
  .object({
    email: z.boolean(),
    language: z.enum(languages),
    timeZone: z.string(),
    quiet: z.object({ from: Minute, until: Minute }).nullable(),
    digest: z.enum(digests),
    urgent: z.boolean(),
    sendsMails: z.boolean().meta({ description: 'Does this installation send mails?' }),
  })
  .meta({ id: 'NotificationSettings' });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

const ChangeNotificationSettings = z
  .strictObject({
    email: z.boolean(),
    language: z.enum(languages),
    timeZone: TimeZone,
    quiet: QuietHours.nullable().meta({ description: 'What falls between waits for the end. Null for none.' }),
    digest: z.enum(digests).meta({ description: 'At once, at each full hour, or at nine in the morning.' }),
    urgent: z.boolean().meta({
      description: 'May a request that its policy calls urgent come in quiet hours, and before a digest?',
    }),
  })
  .partial()
  .meta({ id: 'ChangeNotificationSettings' });
export type ChangeNotificationSettings = z.input<typeof ChangeNotificationSettings>;

/** A subscription of a browser (Push API), with the keys for RFC 8291. */
const PushSubscription = z
  .strictObject({
    endpoint: storable(2000).meta({ description: 'An https address at the push service of the browser.' }),
    keys: z.strictObject({
      p256dh: z.string().max(200).meta({ description: 'A public key on P-256, in base64url.' }),
      auth: z.string().max(100).meta({ description: '16 bytes, in base64url.' }),
    }),
  })
  .meta({ id: 'PushSubscription' });

export const Device = z
  .object({
    id: idText('device'),
    agent: z.string().meta({ description: 'The browser as it names itself.' }),
    hash: z.string().meta({ description: 'SHA-256 of its address in base64url, by which it finds itself.' }),
    addedAt: Moment,
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

export const DeviceList = z
  .object({
    key: z.string().meta({ description: 'The public key that a browser subscribes with (RFC 8292), in base64url.' }),
    devices: z.array(Device),
  })
  .meta({ id: 'DeviceList' });
export type DeviceList = z.infer<typeof DeviceList>;

const device = z.object({ id: idText('device') });

const Delivery = z
  .object({
    at: Moment,
    channel: z.enum(deliveryChannels),
    kind: z.enum(notificationKinds),
    state: z.enum(['sent', 'failed']).meta({ description: '`failed` was given up.' }),
    to: z.string().nullable().meta({
      description: 'A person, a room of a chat, or the machine of a webhook; null if there is no such one any more.',
    }),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryList = z.object({ deliveries: z.array(Delivery) }).meta({ id: 'DeliveryList' });
export type DeliveryList = z.infer<typeof DeliveryList>;

export const TestNotification = z.object({ id: idText('notification') }).meta({ id: 'TestNotification' });

export const notificationRoutes = {
  listDeliveries: {
    method: 'get',
    path: '/api/elicitations/{id}/deliveries',
    auth: 'session',
    permission: null,
    summary:
      'Who was notified of a request, how and when, the oldest first. Webhooks only for administrators and reviewers.',
    params: z.object({ id: ElicitationId }),
    success: { 200: DeliveryList },
  },
  getNotificationSettings: {
    method: 'get',
    path: '/api/notifications/settings',
    auth: 'session',
    permission: null,
    summary: 'How you are notified of requests.',
    success: { 200: NotificationSettings },
  },
  changeNotificationSettings: {
    method: 'patch',
    path: '/api/notifications/settings',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Change how you are notified. What is not named stays.',
    body: ChangeNotificationSettings,
    success: { 200: NotificationSettings },
  },
  testNotification: {
    method: 'post',
    path: '/api/notifications/test',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Send yourself a test, which goes the way of every notification.',
    success: { 202: TestNotification },
  },
  listDevices: {
    method: 'get',
    path: '/api/notifications/devices',
    auth: 'session',
    permission: null,
    summary: 'The browsers in which you are notified of requests.',
    success: { 200: DeviceList },
  },
  addDevice: {
    method: 'post',
    path: '/api/notifications/devices',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Get notifications in this browser from now on.',
    body: PushSubscription,
    success: { 201: Device },
  },
  removeDevice: {
    method: 'delete',
    path: '/api/notifications/devices/{id}',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Get no more notifications in one of your browsers.',
    params: device,
    success: { 204: null },
  },
  testDevice: {
    method: 'post',
    path: '/api/notifications/devices/{id}/test',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Send a test to one of your browsers, which goes the way of every notification.',
    params: device,
    success: { 202: TestNotification },
  },
} as const satisfies Record<string, RouteContract>;
