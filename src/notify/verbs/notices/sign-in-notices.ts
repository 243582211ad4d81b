import type { StoredEvent } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random/random';
import type { UserId } from '#platform/model/id';
import type { SignInChange } from '../../contract/notification/sign-in-change.ts';
import type { NewNotification } from '../../store/notification-plans.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { placesOf } from '../plan/places.ts';

/** Milliseconds: a change is told to its person within this time, or no more. */
const toldWithin = 86_400_000;
/** Milliseconds that are read again, as an entry has its time before it is committed. */
const overlapMs = 300_000;

type PlanningEngine = Pick<Engine, 'signInChanges' | 'now' | 'notifications' | 'devices' | 'rules' | 'sendsMails'>;

/**
 * Makes due what people are told of changes to how they sign in: at once and everywhere, whatever else they want to be
 * told. The first time it looks at the last day, and then at what came since.
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

/** The change that this entry of the log made to how the person signs in, if there is something to tell; otherwise null. */
export async function signInChangeFor(
  { signInChanges, now }: Pick<Engine, 'signInChanges' | 'now'>,
  user: UserId,
  occasion: string,
): Promise<SignInChange | null> {
  const entry = await signInChanges.find(occasion);
  const change = entry && Date.parse(entry.at) >= now() - toldWithin ? changeIn(entry) : null;
  return change?.user === user ? change.change : null;
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
