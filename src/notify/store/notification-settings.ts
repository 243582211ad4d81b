import type { UserId } from '#platform/model/id';
import {
  digests,
  defaultNotifications,
  type NotificationSettings,
} from '../contract/notification/notification-settings.ts';
import { chooseLanguage } from '#platform/text/language';
import type { Database } from '#platform/database/database/database';

/** How people want to be told. */
export const createNotificationSettings = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /** Of each of these people; the usual ones of a person who has said nothing. */
  async settingsOf(users: readonly string[]): Promise<Map<string, NotificationSettings>> {
    if (users.length === 0) return new Map();
    const rows = await prisma.notificationSetting.findMany({ where: { userId: { in: [...users] } } });
    const stored = rows.map(({ userId, email, language, timeZone, quietFrom, quietUntil, digest, urgent }) => {
      const quiet = quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil };
      const parts = { language: chooseLanguage([language]), digest: digests.find((word) => word === digest) ?? 'none' };
      return [userId, { email, timeZone, quiet, urgent, ...parts }] as const;
    });
    return new Map([...users.map((id) => [id, defaultNotifications] as const), ...stored]);
  },
  /** Those who want no mail. */
  async withoutMail(): Promise<Set<string>> {
    const where = { email: false, userId: { gt: '' } }; // by its index
    const rows = await prisma.notificationSetting.findMany({ where, select: { userId: true } });
    return new Set(rows.map(({ userId }) => userId));
  },
  async saveSettings(userId: UserId, { quiet, ...settings }: NotificationSettings) {
    const data = { ...settings, quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null };
    await prisma.notificationSetting.upsert({ where: { userId }, create: { userId, ...data }, update: data });
  },
});

export type SettingsOfPeople = ReturnType<typeof createNotificationSettings>;
