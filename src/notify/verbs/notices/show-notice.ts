import { inTurn } from '#platform/crypto/in-turns/in-turns';
import { openDevice, type PushTarget } from '../../push/rules/device-box.ts';
import type { DeviceId, UserId } from '#platform/model/id';
import type { Risk, Status } from '#requests/asking/contract/elicitation';
import type { NotificationKind } from '../../contract/notification/notification.ts';
import type { SignInChange } from '../../contract/notification/sign-in-change.ts';
import type { User } from '#people/directory/contract/user';
import type { Language } from '#platform/text/language';
import { revealAsText } from '#platform/text/visible-text/visible-text';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { TakenNotification } from '../../store/notifications.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { provenRow } from '#requests/state/verbs/proven-row';
import { noticeFacts } from '../plan-notices/notice-facts.ts';
import { mailedPasswordLink } from '#access/sign-in/verbs/links';
import { notificationSettings } from '../settings/personal-settings.ts';
import { newsFor, type NewsSource } from '../plan/plan-news.ts';
import { appliesTo } from '../plan-notices/plan-notices.ts';
import { addressBefore, signInChangeFor } from './sign-in-notices.ts';

/** What leaves Assentry about one request: names that are not sealed in the database, and a link. */
export interface ShownNotice {
  kind: NotificationKind;
  /** Null for what is about no request. */
  request: ShownRequest | null;
  /** The name of the policy, server or tool that news are about; otherwise null. */
  subject: string | null;
  /** Where to go. */
  url: string;
  /** Until when the link can be used; null if it is no such link. */
  linkUntil: number | null;
  /** Does using the link remove the person's second factors? */
  resetsFactors?: boolean;
  /** What changed about how the person signs in, if it is told for that. */
  signInChange?: SignInChange;
}

interface ShownRequest {
  tool: string;
  server: string;
  risk: Risk;
  status: Status;
  deadlineAt: number;
}

type ShowingEngine = Pick<
  Engine,
  NewsSource | 'signInChanges' | 'reader' | 'ring' | 'environment' | 'users' | 'devices' | 'notifications' | 'publicUrl'
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
  notification: TakenNotification,
): Promise<AddressedNotice | null> {
  const user = await engine.users.byId(notification.target as UserId);
  if (!user) return null;
  const { email: isWanted, language } = await notificationSettings(engine, user.id);
  if (!isWanted && !['link', 'test', 'sign-in'].includes(notification.kind)) return null;
  const notice = await noticeTo(engine, user.id, notification);
  return notice && { email: await addressOf(engine, user, notice), language, notice };
}

/** The same, and in which browser; null also if the person is no longer told in it. */
export async function showPush(engine: ShowingEngine, notification: TakenNotification): Promise<PushedNotice | null> {
  const device = await engine.devices.find(notification.target as DeviceId);
  const user = device && (await engine.users.byId(device.userId));
  const notice = user && (await noticeTo(engine, user.id, notification));
  if (!device || !notice) return null;
  const { language } = await notificationSettings(engine, device.userId);
  return { to: openDevice(engine.ring, device.id, device.sealed), language, notice };
}

/** A new address is told at the one before, since those who moved it may read the new one. */
async function addressOf({ users }: ShowingEngine, user: User, { signInChange }: ShownNotice): Promise<string> {
  const names = signInChange === 'address' && (await users.namesOf(user.id));
  return names ? addressBefore(names) : user.email;
}

async function noticeTo(
  engine: ShowingEngine,
  user: UserId,
  { elicitationId, channel, kind, occasion }: TakenNotification,
): Promise<ShownNotice | null> {
  const plain = { kind, request: null, subject: null, url: engine.publicUrl(), linkUntil: null };
  if (kind === 'link') return linkNotice(engine, user);
  if (kind === 'test') return plain;
  if (kind === 'sign-in') {
    const signInChange = await signInChangeFor(engine, user, occasion);
    return signInChange && { ...plain, url: `${engine.publicUrl()}/account`, signInChange };
  }
  if (elicitationId === null) {
    const news = await newsFor(engine, user, { kind, occasion });
    return news && { ...plain, subject: news.subject, url: `${engine.publicUrl()}${news.path}` };
  }
  const row = await provenRow(engine, elicitationId);
  const { directory } = await engine.rules.users();
  const facts = row && (await inTurn(() => noticeFacts(engine, directory, row)));
  if (!facts || !appliesTo(facts, user, kind, channel)) return null;
  const url = `${engine.publicUrl()}/requests/${elicitationId}`;
  return { ...plain, request: requestIn(facts.row), url };
}

/** Null if the link was used or replaced meanwhile. */
async function linkNotice(engine: ShowingEngine, user: UserId): Promise<ShownNotice | null> {
  const link = await mailedPasswordLink(engine, user);
  if (!link) return null;
  const { address: url, expiresAt: linkUntil, resetsFactors = false } = link;
  return { kind: 'link', request: null, subject: null, url, linkUntil, resetsFactors };
}

const requestIn = ({ tool, serverName, risk, status, deadlineAt }: ElicitationRow): ShownRequest => ({
  tool: revealAsText(tool),
  server: revealAsText(serverName),
  risk,
  status,
  deadlineAt,
});
