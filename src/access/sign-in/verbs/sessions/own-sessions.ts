import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry/entry';
import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { newId } from '#platform/crypto/random/random';
import type { SessionId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { User } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

type SessionEngine = Pick<Engine, 'users' | 'now' | 'sessions'>;

/** Where this person is signed in, the latest use first. `secret` is that of the session that asks. */
export async function listOwnSessions(
  { users, now, sessions, providers }: SessionEngine & Pick<Engine, 'providers'>,
  user: User,
  secret: string,
) {
  const own = hashSecret(secret);
  const open = await users.openSessions(user.id, { now: now(), idle: sessions.idle });
  const names = new Map(providers.map(({ settings: { issuer, name } }) => [issuer, name]));
  return open.map(({ hash, provider, ...session }) => ({
    ...session,
    provider: provider && (names.get(provider) ?? provider),
    isThis: own.equals(hash),
  }));
}

/** Signs the person out in one of their browsers. Problem `not-found` if it is not theirs. */
export async function endOwnSession(engine: SessionEngine, user: User, id: SessionId): Promise<void> {
  const count = await engine.users.endSessions(user.id, { only: id }, (sessions) => endedBy(engine, user, sessions));
  if (count === 0) throw new Problem('not-found');
}

/** Signs the person out everywhere but in the session with this secret; returns in how many. */
export const endOtherSessions = (engine: SessionEngine, user: User, secret: string): Promise<number> =>
  engine.users.endSessions(user.id, { except: hashSecret(secret) }, (sessions) => endedBy(engine, user, sessions));

const endedBy = ({ now }: SessionEngine, { id }: User, sessions: SessionId[]): AuditEntry =>
  auditEntry(newId('entry'), now(), { kind: 'user', id }, { type: 'user.sessions-ended', user: id, sessions });
