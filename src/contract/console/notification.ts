import { z } from 'zod';
import { isTimeZone } from '../../model/names.ts';
import { digests } from '../../model/notifications/notification-settings.ts';
import { languages } from '../../model/words/language.ts';
import { idText } from '../http/formats.ts';
import type { RouteContract } from '../http/route-contract.ts';

/** The API with which people say how they want to be told. */
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
    sendsMails: z.boolean().meta({ description: 'Does this installation send mails?' }),
  })
  .meta({ id: 'NotificationSettings' });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

export const ChangeNotificationSettings = z
  .strictObject({
    email: z.boolean(),
    language: z.enum(languages),
    timeZone: TimeZone,
    quiet: QuietHours.nullable().meta({ description: 'What falls between waits for the end. Null for none.' }),
    digest: z.enum(digests).meta({ description: 'At once, at each full hour, or at nine in the morning.' }),
  })
  .partial()
  .meta({ id: 'ChangeNotificationSettings' });
export type ChangeNotificationSettings = z.input<typeof ChangeNotificationSettings>;

export const TestNotification = z.object({ id: idText('notification') }).meta({ id: 'TestNotification' });

export const notificationRoutes = {
  getNotificationSettings: {
    method: 'get',
    path: '/api/notifications/settings',
    auth: 'session',
    summary: 'How you want to be told of requests.',
    success: { 200: NotificationSettings },
  },
  changeNotificationSettings: {
    method: 'patch',
    path: '/api/notifications/settings',
    auth: 'session',
    summary: 'Change how you want to be told. What is not named stays.',
    body: ChangeNotificationSettings,
    success: { 200: NotificationSettings },
  },
  testNotification: {
    method: 'post',
    path: '/api/notifications/test',
    auth: 'session',
    summary: 'Send yourself a test, which goes the way of every notification.',
    success: { 202: TestNotification },
  },
} as const satisfies Record<string, RouteContract>;
