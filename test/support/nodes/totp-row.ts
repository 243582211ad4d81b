import { auditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import { sealTotp } from '#access/factors/rules';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { UserId } from '#platform/model/id';

/** Gives this person an authenticator app, without a sign-in. */
export async function addTotpRow({ secondFactors, ring, now }: Engine, userId: UserId): Promise<void> {
  const [id, addedAt] = [newId('totp'), now()];
  const secrets = { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', recovery: { salt: '', hashes: [] } };
  const sealed = sealTotp(ring, { id, userId }, secrets);
  const totp = { id, userId, issuedBy: null, addedAt, removedAt: null, sealed, lastStep: 0, usedCodes: [] };
  const event = { type: 'user.totp-added', user: userId, totp: id } as const;
  await secondFactors.addTotp(
    totp,
    auditEntry(newId('entry'), addedAt, { kind: 'user', id: userId }, event),
    async () => {},
  );
}
