import type { UserId } from '#protocol/model/id';
import {
  digests,
  defaultNotifications,
  type NotificationSettings,
} from '#protocol/model/notifications/notification-settings';
import { chooseLanguage } from '#protocol/model/text/language';
import type { Database } from '../database/database.ts';

/** How people want to be told. */
export interface SettingsOfPeople {
  /** Of each of these people; the usual ones of a person who has said nothing. */
  settingsOf(users: readonly string[]): Promise<Map<string, NotificationSettings>>;
  /** Those who want no mail. */
  withoutMail(): Promise<Set<string>>;
  saveSettings(user: UserId, settings: NotificationSettings): Promise<void>;
}

export const createNotificationSettings = ({ prisma }: Pick<Database, 'prisma'>): SettingsOfPeople => ({
  async settingsOf(users) {
    if (users.length === 0) return new Map();
    const rows = await prisma.notificationSetting.findMany({ where: { userId: { in: [...users] } } });
    const stored = rows.map(({ userId, email, language, timeZone, quietFrom, quietUntil, digest, urgent }) => {
      const quiet = quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil };
      const parts = { language: chooseLanguage([language]), digest: digests.find((word) => word === digest) ?? 'none' };
      return [userId, { email, timeZone, quiet, urgent, ...parts }] as const;
    });
    return new Map([...users.map((id) => [id, defaultNotifications] as const), ...stored]);
  },
  async withoutMail() {
    const where = { email: false, userId: { gt: '' } }; // by its index
    const rows = await prisma.notificationSetting.findMany({ where, select: { userId: true } });
    return new Set(rows.map(({ userId }) => userId));
  },
  async saveSettings(userId, { quiet, ...settings }) {
    const data = { ...settings, quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null };
    await prisma.notificationSetting.upsert({ where: { userId }, create: { userId, ...data }, update: data });
  },
});
