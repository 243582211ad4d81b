import { hashSecret } from '#platform/crypto/random';
import type { PageProof } from '../../store/proofs/page-proofs.ts';
import type { TryCount, TryCounts, TryLimits } from '../../store/proofs/page-tries.ts';

/**
 * How often a code is taken: a mistyped one locks its own browser for ten minutes, and strangers with the link lock that
 * link. Of a million codes, 100 tries of a link hit one in ten thousand.
 */
export const tryLimits: TryLimits = { windowMs: 600_000, browser: 5, link: 20, total: 100, worn: 5 };

/** What keeps a browser from trying a code. */
export interface CodeLock {
  /** Milliseconds until the link takes a code again; null if it never does. */
  opensIn: number | null;
}

/** Null while the browser has tries left. Of a known browser, only its own tries count. */
export function lockOf({ own, all }: TryCounts, { isKnown, now }: { isKnown: boolean; now: number }): CodeLock | null {
  if (!isKnown && all !== null && all.total >= tryLimits.total) return { opensIn: null };
  const waits = [waitOf(own, tryLimits.browser, now), isKnown ? 0 : waitOf(all, tryLimits.link, now)];
  const opensIn = Math.max(...waits);
  return opensIn > 0 ? { opensIn } : null;
}

/** Tries that this browser has left now. */
export function triesLeft({ own, all }: TryCounts, { isKnown, now }: { isKnown: boolean; now: number }): number {
  const left = [tryLimits.browser - triesIn(own, now)];
  if (!isKnown) left.push(tryLimits.link - triesIn(all, now), tryLimits.total - (all?.total ?? 0));
  return Math.max(0, Math.min(...left));
}

/** Has this browser given the right code before another one took the page over? */
export const isKnownBrowser = (proof: PageProof | null, secret: string): boolean => {
  const hash = hashSecret(secret);
  return proof?.formerHashes.some((former) => hash.equals(former)) ?? false;
};

const endOf = ({ since }: TryCount): number => since + tryLimits.windowMs;

const triesIn = (count: TryCount | null, now: number): number => (count && endOf(count) > now ? count.tries : 0);

const waitOf = (count: TryCount | null, most: number, now: number): number =>
  count && triesIn(count, now) >= most ? endOf(count) - now : 0;
