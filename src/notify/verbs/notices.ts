import { inTurn } from '#platform/crypto/in-turns';
import { openDevice, type PushTarget } from '../push/rules.ts';
import type { DeviceId, UserId, WebhookId } from '#platform/model/id';
import type { Risk, Status } from '#requests/asking/contract/elicitation';
import type { NotificationKind, SignInChange } from '../contract/notification.ts';
import type { User } from '#people/directory/contract/user';
import type { Language } from '#platform/text/language';
import { revealAsText } from '#platform/text/visible-text';
import type { ElicitationRow } from '#requests/state/store/row';
import type { TakenNotification, NewNotification } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { provenRow } from '#requests/state/verbs/proven-row';
import { noticeFacts, appliesTo } from './plan-notices.ts';
import { mailedPasswordLink } from '#access/sign-in/verbs/links';
import { notificationSettings } from './settings.ts';
import { newsFor, type NewsSource, type NewsKind, placesOf } from './plan.ts';
import { openWebhook, type WebhookTarget } from '../webhooks/rules.ts';
import type { StoredEvent } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';

/** Content of a notice that leaves Assentry: names that are not sealed in the database, and a link. */
export interface ShownNotice {
  kind: NotificationKind;
  /** Null for a notice about no request. */
  request: ShownRequest | null;
  /** Name of the policy, server or tool of news; otherwise null. */
  subject: string | null;
  /** Address to open. */
  url: string;
  /** Expiry of the link; null if it is no such link. */
  linkUntil: number | null;
  /** Does using the link remove the person's second factors? */
  resetsFactors?: boolean;
  /** Change of the person's sign-in, if that is the subject. */
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

/** A notice in the language of this browser's person. */
export interface PushedNotice {
  to: PushTarget;
  language: Language;
  notice: ShownNotice;
}

/** Current notice for the person, with its address; null if it no longer applies, or is no longer theirs to know. */
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

/** Current notice with its browser; null also if the person is no longer notified in it. */
export async function showPush(engine: ShowingEngine, notification: TakenNotification): Promise<PushedNotice | null> {
  const device = await engine.devices.find(notification.target as DeviceId);
  const user = device && (await engine.users.byId(device.userId));
  const notice = user && (await noticeTo(engine, user.id, notification));
  if (!device || !notice) return null;
  const { language } = await notificationSettings(engine, device.userId);
  return { to: openDevice(engine.ring, device.id, device.sealed), language, notice };
}

/** Address of a notice. A change of address is sent to the former one, since those who changed it may read the new one. */
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

/** Notice of a link; null if the link was used or replaced meanwhile. */
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

/** Kinds of events; notices about no request are for their person alone. */
type EventKind = Exclude<NotificationKind, NewsKind | 'sign-in' | 'link'>;

/** Event of a webhook, by the kind of the notification. */
const eventTypes = {
  turn: 'request.waiting',
  reminder: 'request.reminded',
  outcome: 'request.ended',
  test: 'test',
} as const satisfies Record<EventKind, string>;

/** An event in the form of Standard Webhooks: of the request, names that are not sealed in the database, and a link. */
export interface ShownEvent {
  type: (typeof eventTypes)[EventKind];
  /** Time of the event. */
  timestamp: string;
  /** The current request; null in a test. */
  data: EventData | null;
}

export type EventData = ReturnType<typeof dataOf>;

interface ShownCall {
  target: WebhookTarget;
  event: ShownEvent;
  /** Trace of the call that asked. */
  traceparent: string | null;
}

/** Current event for the program, with its address; null if the webhook was removed. */
export async function showEvent(
  engine: Pick<Engine, 'webhooks' | 'reader' | 'ring' | 'publicUrl'>,
  { elicitationId, target: id, kind, createdAt }: TakenNotification,
): Promise<ShownCall | null> {
  const webhook = await engine.webhooks.find(id as WebhookId);
  if (!webhook || !isEvent(kind)) return null;
  const target = openWebhook(engine.ring, id, webhook.sealed);
  const event = { type: eventTypes[kind], timestamp: new Date(createdAt).toISOString() };
  if (elicitationId === null) return { target, event: { ...event, data: null }, traceparent: null };
  const row = await provenRow(engine, elicitationId);
  if (!row) return null;
  const data = dataOf(row, `${engine.publicUrl()}/requests/${elicitationId}`);
  return { target, event: { ...event, data }, traceparent: row.traceparent };
}

const isEvent = (kind: NotificationKind): kind is EventKind => kind in eventTypes;

const dataOf = (
  { id, serverName, tool, policy, risk, status, state, revision, deadlineAt }: ElicitationRow,
  url: string,
) => ({
  request: id,
  server: revealAsText(serverName),
  tool: revealAsText(tool),
  policy,
  risk,
  status,
  revision,
  stage: state.context.stage,
  escalated: state.context.escalated,
  deadlineAt: new Date(deadlineAt).toISOString(),
  url,
});

/** Milliseconds within which a change is reported to its person, or not at all. */
const toldWithin = 86_400_000;
/** Milliseconds that are read again, because an entry's time precedes its commit. */
const overlapMs = 300_000;

type PlanningEngine = Pick<Engine, 'signInChanges' | 'now' | 'notifications' | 'devices' | 'rules' | 'sendsMails'>;

/**
 * Makes notices of sign-in changes due: at once and everywhere, whatever the person's settings. The first time it reads the
 * last day, later only the news.
 */
export function createSignInPlanner(engine: PlanningEngine): { plan(): Promise<void> } {
  let from = engine.now() - toldWithin;
  return {
    async plan() {
      const at = engine.now();
      const changes = (await engine.signInChanges.since(from)).flatMap((entry) => changeIn(entry) ?? []);
      if (changes.length > 0) await engine.notifications.add(await noticesOf(engine, changes, at), at);
      from = at - overlapMs;
    },
  };
}

async function noticesOf(engine: PlanningEngine, changes: Change[], dueAt: number): Promise<NewNotification[]> {
  const places = await placesOf(engine);
  const about = { elicitationId: null, kind: 'sign-in', dueAt } as const;
  return changes.flatMap(({ user, entry: occasion }) =>
    places
      .filter((place) => place.user === user)
      .map(({ channel, target }) => ({ id: newId('notification'), channel, target, occasion, ...about })),
  );
}

/** The sign-in change in this entry of the log, if it is to be reported; otherwise null. */
async function signInChangeFor(
  { signInChanges, now }: Pick<Engine, 'signInChanges' | 'now'>,
  user: UserId,
  occasion: string,
): Promise<SignInChange | null> {
  const entry = await signInChanges.find(occasion);
  const change = entry && Date.parse(entry.at) >= now() - toldWithin ? changeIn(entry) : null;
  return change?.user === user ? change.change : null;
}

/** The former address: the last name that the person got. */
function addressBefore({ email, subjects }: { email: string; subjects: readonly string[] }): string {
  return subjects.findLast((name) => name.includes('@') && name !== email) ?? email;
}

interface Change {
  entry: string;
  user: UserId;
  change: SignInChange;
}

/** Changes by event, for events about a person's sign-in. */
const changeBy = {
  'user.password-set': 'password',
  'user.password-changed': 'password',
  'user.passkey-added': 'passkey-added',
  'user.passkey-removed': 'passkey-removed',
  'user.totp-added': 'app-added',
  'user.totp-removed': 'app-removed',
  'user.recovery-codes-renewed': 'recovery-codes',
  'user.provider-connected': 'provider-connected',
  'user.provider-removed': 'provider-removed',
} satisfies Partial<Record<StoredEvent['type'], SignInChange>>;

function changeIn(entry: StoredEvent): Change | null {
  if (entry.type === 'user.changed')
    return entry.changed.address ? { entry: entry.id, user: entry.user, change: 'address' } : null;
  return isChange(entry) ? { entry: entry.id, user: entry.user, change: changeBy[entry.type] } : null;
}

const isChange = (entry: StoredEvent): entry is Extract<StoredEvent, { type: keyof typeof changeBy }> =>
  entry.type in changeBy;
