import type { StoredEvent } from '#core/audit/entry';
import type { UserId } from '#protocol/model/id';
import type { SignInChange } from '#protocol/model/notifications/sign-in-change';
import type { Engine } from '../engine.ts';
import { inTheirTime, placesOf } from './internal/places.ts';

/** Milliseconds: a change is told to its person within this time, or no more. */
const toldWithin = 86_400_000;

type ReadingEngine = Pick<Engine, 'signInChanges' | 'now'>;
type PlanningEngine = ReadingEngine & Pick<Engine, 'notifications' | 'devices' | 'rules' | 'sendsMails'>;

/** Makes due what people are told of changes to how they sign in: at once and everywhere, whatever else they want to be told. */
export async function planSignInNotices(engine: PlanningEngine): Promise<void> {
  const all = await readChanges(engine);
  if (all.length === 0) return;
  const places = await placesOf(engine);
  const notices = all.flatMap(({ user, entry }) =>
    places
      .filter((place) => place.user === user)
      .map(({ channel, target }) => ({
        channel,
        target,
        elicitationId: null,
        kind: 'sign-in' as const,
        occasion: entry,
      })),
  );
  const at = engine.now();
  await engine.notifications.add(await inTheirTime(engine, notices, at), at);
}

/** The change that this entry of the log made to how the person signs in, if there is something to tell; otherwise null. */
export async function signInChangeFor(
  engine: ReadingEngine,
  user: UserId,
  occasion: string,
): Promise<SignInChange | null> {
  const all = await readChanges(engine);
  return all.find(({ entry, user: of }) => entry === occasion && of === user)?.change ?? null;
}

/** The address before this one: it is the last name that the person has got. */
export function addressBefore({ email, subjects }: { email: string; subjects: readonly string[] }): string {
  return subjects.findLast((name) => name.includes('@') && name !== email) ?? email;
}

interface Change {
  entry: string;
  user: UserId;
  change: SignInChange;
}

/** The events that change by what a person signs in. */
const changes = {
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

async function readChanges({ signInChanges, now }: ReadingEngine): Promise<Change[]> {
  const entries = await signInChanges.since(now() - toldWithin);
  return entries.flatMap((entry): Change[] => {
    if (entry.type === 'user.changed')
      return entry.changed.address ? [{ entry: entry.id, user: entry.user, change: 'address' }] : [];
    return isChange(entry) ? [{ entry: entry.id, user: entry.user, change: changes[entry.type] }] : [];
  });
}

const isChange = (entry: StoredEvent): entry is Extract<StoredEvent, { type: keyof typeof changes }> =>
  entry.type in changes;
