import { marksOf } from '../../contract/marks.ts';
import type { StoredKey } from '../../store/servers.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

type ExpiringKey = StoredKey & { expiresAt: number };

/** The keys that are still good and expire soon, the next one first; and how many were not used for long. */
export async function keysToRotate({
  servers,
  now,
}: Pick<Engine, 'servers' | 'now'>): Promise<{ expiring: ExpiringKey[]; unused: number }> {
  const at = now();
  const good = (await servers.keys())
    .filter(({ maker }) => !maker?.disabled)
    .map((key) => ({ key, marks: marksOf(key, at) }));
  const expiring = good
    .flatMap(({ key, marks }) =>
      key.expiresAt !== null && marks.includes('expires-soon') ? [{ ...key, expiresAt: key.expiresAt }] : [],
    )
    .sort((a, b) => a.expiresAt - b.expiresAt);
  return { expiring, unused: good.filter(({ marks }) => marks.includes('unused')).length };
}
