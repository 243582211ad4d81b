import { timingSafeEqual } from 'node:crypto';
import type { NamedSecret } from '../config/secrets.ts';
import { checkValue, createKeyRing, type KeyRing } from '../crypto/key-ring.ts';
import { Problem } from '../model/problem.ts';
import type { Database } from '../store/database/database.ts';
import { createSecrets, type StoredSecret } from '../store/secrets.ts';

/**
 * The key ring of this node. Before anything is signed or sealed, problem `config-invalid` names the key id of a secret
 * that is missing, or that is another one than was used so far.
 */
export async function enrolSecrets(database: Pick<Database, 'prisma'>, secrets: NamedSecret[]): Promise<KeyRing> {
  const ring = createKeyRing(secrets);
  const enrolled = ring.kids.map((kid) => ({ kid, checkValue: checkValue(ring, kid) }));
  await createSecrets(database).enrol(enrolled, (stored) => refuseForeign(stored, enrolled));
  return ring;
}

function refuseForeign(stored: StoredSecret[], given: { kid: string; checkValue: Uint8Array }[]): void {
  for (const { kid, checkValue: expected, activeAt, retiredAt } of stored) {
    const found = given.find((each) => each.kid === kid);
    if (found && !timingSafeEqual(found.checkValue, expected)) throw refuse(kid, wrong);
    if (!found && activeAt !== null && retiredAt === null) throw refuse(kid, missing);
  }
}

const wrong =
  'another one than what is stored here was sealed with. If it is meant to be a new one, give it a key id of its own';
const missing = 'none, and what is stored here was sealed with it';

const refuse = (kid: string, found: string): Problem =>
  new Problem('config-invalid', {
    detail: `Give back the secret with the key id ${kid}, in ASSENTRY_SECRETS or where it was: found ${found}. Nothing was written.`,
  });
