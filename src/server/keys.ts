import { timingSafeEqual } from 'node:crypto';
import type { NamedSecret } from '#platform/config/secrets';
import { checkValue, createKeyRing, type KeyRing, openRetained } from '#platform/crypto/key-ring';
import { Problem } from '#platform/model/problem';
import type { Database } from '#platform/database/database';
import { activeKid, enrolSecrets, type StoredSecret } from '#keeping/secrets/store';
import { createClock, heldClock, type Clock } from '#platform/nodes/verbs/clock';
import { readTime } from '#platform/database/sql';
import { tokenCheck, type CheckToken } from '#platform/bearer/tokens';
import type { TokenSources } from '#platform/config/serving';
import { refuseToken, type ReadToken } from '#access/tokens/verbs/read-token';

/**
 * The key ring of this node or command, whose active secret is the one that all nodes seal with. Before anything is
 * signed or sealed, problem `config-invalid` names the key id of a secret that is missing or differs from the one used
 * so far. A retired secret that is still given is ignored.
 */
export async function openKeyRing(
  database: Pick<Database, 'prisma'>,
  secrets: NamedSecret[],
  node: string | null,
): Promise<KeyRing> {
  const fullRing = createKeyRing(secrets);
  const enrolled = fullRing.kids.map((kid) => ({ kid, checkValue: checkValue(fullRing, kid) }));
  const stored = await enrolSecrets(database, enrolled, node, (before) => assertOwnSecrets(before, enrolled));
  const kept = stored.flatMap(({ kid, retained }) =>
    retained ? [[kid, openRetained(fullRing, kid, retained)] as const] : [],
  );
  const retired = new Map(kept);
  const ring = createKeyRing(
    secrets.filter(({ kid }) => !retired.has(kid)),
    retired,
  );
  ring.use(activeKid(stored) ?? ring.active);
  return ring;
}

function assertOwnSecrets(stored: StoredSecret[], enrolled: { kid: string; checkValue: Uint8Array }[]): void {
  for (const { kid, checkValue: expected, activeAt, retiredAt } of stored) {
    const secret = enrolled.find((each) => each.kid === kid);
    if (secret && !timingSafeEqual(secret.checkValue, expected)) throw refuse(kid, wrong);
    if (!secret && activeAt !== null && retiredAt === null) throw refuse(kid, missing);
  }
}

const wrong =
  'a different secret than the stored data was sealed with. If it is meant to be new, give it its own key id';
const missing = 'none, and stored data was sealed with it';

const refuse = (kid: string, finding: string): Problem =>
  new Problem('config-invalid', {
    detail: `Give back the secret with the key id ${kid}, in ASSENTRY_SECRETS or where it was before: found ${finding}. Nothing was written.`,
  });

/** A clock that follows the database from the first query on. A test's clock stays unchanged. */
export async function openClock({ prisma }: Pick<Database, 'prisma'>, testClock?: () => number): Promise<Clock> {
  const clock = testClock ? heldClock(testClock) : createClock();
  await clock.follow(() => readTime(prisma));
  return clock;
}

/** Checks access tokens as configured for each server; only the configured addresses are called. */
export function createTokenReader(sources: TokenSources, now: () => number): ReadToken {
  const checks = new Map(Object.entries(sources).map(([server, source]) => [server, tokenCheck(source, now)]));
  return async (server, token) => {
    const check = checks.get(server);
    return check ? readBy(check, token) : null;
  };
}

async function readBy(check: CheckToken, token: string): ReturnType<ReadToken> {
  const checked = await check(token);
  if (checked.state === 'wrong') throw refuseToken(checked.cause);
  return checked.state === 'valid' ? { issuer: checked.issuer, subject: checked.subject } : null;
}
