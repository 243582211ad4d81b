import type { StoredKey } from '../../store/users/servers.ts';
import type { Engine } from '../engine.ts';

/** Milliseconds before a key expires in which operators are warned. */
export const warnBefore = 14 * 86_400_000;

type ExpiringKey = StoredKey & { expiresAt: number };

/** The keys that are still good and expire soon, the next one first. */
export async function expiringKeys({ servers, now }: Pick<Engine, 'servers' | 'now'>): Promise<ExpiringKey[]> {
  const at = now();
  const keys = (await servers.keys()).flatMap((key) =>
    key.expiresAt === null ? [] : [{ ...key, expiresAt: key.expiresAt }],
  );
  return keys
    .filter(
      ({ revokedAt, maker, expiresAt }) =>
        revokedAt === null && !maker?.disabled && at < expiresAt && expiresAt - at <= warnBefore,
    )
    .sort((a, b) => a.expiresAt - b.expiresAt);
}
