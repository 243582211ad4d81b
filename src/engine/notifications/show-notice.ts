import { openDevice, type PushTarget } from '../../crypto/push/device-box.ts';
import type { DeviceId, ElicitationId, UserId } from '../../model/id.ts';
import type { Risk, Status } from '../../model/elicitation.ts';
import type { NotificationKind } from '../../model/notifications/notification.ts';
import type { Language } from '../../model/words/language.ts';
import { revealAsText } from '../../model/visible-text.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { TakenNotification } from '../../store/notifications/notifications.ts';
import type { Engine } from '../engine.ts';
import { provenRow } from '../proven-row.ts';
import { noticeFacts } from './notice-facts.ts';
import { mailedPasswordLink } from '../users/mailed-link.ts';
import { notificationSettings } from './personal-settings.ts';
import { appliesTo } from './plan-notices.ts';

/** What leaves Assentry about one request: names that are not sealed in the database, and a link. */
export interface ShownNotice {
  kind: NotificationKind;
  /** Null for a test, and for the link that sets a password. */
  request: ShownRequest | null;
  /** Where to go. */
  url: string;
  /** Until when the link can be used; null if it is no such link. */
  linkUntil: number | null;
}

export interface ShownRequest {
  tool: string;
  server: string;
  risk: Risk;
  status: Status;
  deadlineAt: number;
}

type ShowingEngine = Pick<
  Engine,
  'reader' | 'ring' | 'rules' | 'users' | 'devices' | 'notifications' | 'publicUrl' | 'now'
>;

/** A notice in the language of the person at this address. */
export interface AddressedNotice {
  email: string;
  language: Language;
  notice: ShownNotice;
}

/** A notice in the language of the person who is told in this browser. */
export interface PushedNotice {
  to: PushTarget;
  language: Language;
  notice: ShownNotice;
}

/** What to tell the person now, and at which address; null if it no longer applies, or is no longer theirs to know. */
export async function showNotice(
  engine: ShowingEngine,
  { elicitationId, target, kind }: TakenNotification,
): Promise<AddressedNotice | null> {
  const user = await engine.users.byId(target as UserId);
  if (!user) return null;
  const { email: isWanted, language } = await notificationSettings(engine, user.id);
  if (!isWanted && elicitationId !== null) return null;
  const notice = await noticeTo(engine, user.id, elicitationId, kind);
  return notice && { email: user.email, language, notice };
}

/** The same, and in which browser; null also if the person is no longer told in it. */
export async function showPush(
  engine: ShowingEngine,
  { elicitationId, target, kind }: TakenNotification,
): Promise<PushedNotice | null> {
  const device = await engine.devices.find(target as DeviceId);
  const user = device && (await engine.users.byId(device.userId));
  const notice = user && (await noticeTo(engine, user.id, elicitationId, kind));
  if (!device || !notice) return null;
  const { language } = await notificationSettings(engine, device.userId);
  return { to: openDevice(engine.ring, device.id, device.sealed), language, notice };
}

async function noticeTo(
  engine: ShowingEngine,
  user: UserId,
  elicitationId: ElicitationId | null,
  kind: NotificationKind,
): Promise<ShownNotice | null> {
  if (kind === 'link') return linkNotice(engine, user);
  if (elicitationId === null) return { kind, request: null, url: engine.publicUrl(), linkUntil: null };
  const row = await provenRow(engine, elicitationId);
  const facts = row && (await noticeFacts(engine, row));
  if (!facts || !appliesTo(facts, user, kind)) return null;
  const url = `${engine.publicUrl()}/requests/${elicitationId}`;
  return { kind, request: requestIn(facts.row), url, linkUntil: null };
}

/** Null if the link was used or replaced meanwhile. */
async function linkNotice(engine: ShowingEngine, user: UserId): Promise<ShownNotice | null> {
  const link = await mailedPasswordLink(engine, user);
  return link && { kind: 'link', request: null, url: link.address, linkUntil: link.expiresAt };
}

const requestIn = ({ tool, serverName, risk, status, deadlineAt }: ElicitationRow): ShownRequest => ({
  tool: revealAsText(tool),
  server: revealAsText(serverName),
  risk,
  status,
  deadlineAt,
});
