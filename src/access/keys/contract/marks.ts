/** Milliseconds before a key expires in which it is marked. */
const markedBeforeExpiry = 14 * 86_400_000;

/** Milliseconds after which a key that no one has used is marked. */
const markedWhenUnused = 90 * 86_400_000;

/** Why an operator should look at a key: it has expired, expires soon, or is not used. */
export type KeyMark = 'expired' | 'expires-soon' | 'unused';

interface KeyTimes {
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  expiresAt: number | null;
  /** The key that follows it: then its end is what someone wanted. */
  replacedBy: string | null;
}

/** Marks of a key that opens something at this moment, apart from `expired`. */
export function marksOf({ createdAt, lastUsedAt, revokedAt, expiresAt, replacedBy }: KeyTimes, now: number): KeyMark[] {
  if (revokedAt !== null) return [];
  if (expiresAt !== null && expiresAt <= now) return ['expired'];
  const isSoon = replacedBy === null && expiresAt !== null && expiresAt - now <= markedBeforeExpiry;
  const isUnused = now - (lastUsedAt ?? createdAt) >= markedWhenUnused;
  return [...(isSoon ? (['expires-soon'] as const) : []), ...(isUnused ? (['unused'] as const) : [])];
}
