import { auditEntry, type Actor, type GivenAccess, type RefusedAccess } from './rules/entry.ts';
import { requestFacts, type RequestFacts } from './rules/events.ts';
import { type KeyRing, lookupHash, lookupHashes } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { isId } from '#platform/model/id';
import type { Reader } from '#requests/asking/store/reader';
import type { AccessLog } from './store/access.ts';
import { provenRow } from '#requests/state/verbs/proven-row';

interface Access<Type> {
  type: Type;
  /** The code of the refusal, or what is given out. */
  what: string;
  by: Actor;
  /** The ids concerned, and keyed hashes of names that do not exist. */
  about: readonly string[];
}

/** `address` is where it came from. */
export type Refused = Access<RefusedAccess> & { address: string };
type Given = Access<GivenAccess>;

interface AccessParts {
  accessLog: AccessLog;
  reader: Pick<Reader, 'elicitation'>;
  ring: KeyRing;
  now(): number;
  /** A line in the node's log for each entry of a refusal or an export, with the address in clear. */
  warn(line: object): void;
}

interface Watched extends Tally {
  refused: Refused;
  /** The ids concerned in this window; a few are enough. */
  about: Set<string>;
}

const maxAbout = 8;
/** The address of all strangers beyond those who are told apart. */
const others = 'others';

/** Writes into the log who was refused, and who read what: each source once a window, however often it tries. */
export function createAccessWatch(parts: AccessParts) {
  const refusals = new Map<string, Watched>();
  const readings = new Map<string, Tally>();
  const { now } = parts;
  return {
    /** Resolves when it is written or counted. Never rejects, since the refusal holds even without its entry. */
    async recordRefusal(refused: Refused) {
      const at = now();
      const source = keyOf(refused);
      const isOther = !refusals.has(source) && refused.by.kind === 'stranger' && refusals.size >= maxSources;
      const kept = isOther ? { ...refused, address: others } : refused;
      const key = keyOf(kept);
      const before = refusals.get(key);
      const { tally, reportCount } = countOne(before, at, refusalWindow);
      const subjects = new Set([...(before?.about ?? []), ...refused.about].slice(0, maxAbout));
      refusals.set(key, { ...tally, refused: kept, about: reportCount > 0 ? new Set() : subjects });
      if (reportCount > 0)
        await report(
          parts,
          { ...kept, about: [...subjects] },
          { count: reportCount, since: reportCount > 1 ? before!.since : at },
        );
    },
    /** Call it before content is given out, so that no content leaves without its entry. */
    async recordAccess({ type, what, by, about }: Given) {
      const at = now();
      const key = JSON.stringify([type, what, by, about]);
      const { reportCount } = countOne(readings.get(key), at, readingWindow);
      if (reportCount === 0) return;
      const facts = await factsOf(parts, about);
      const event = { type, what, about: [...about], ...facts, count: 1, since: at };
      const entry = auditEntry(newId('entry'), at, by, event);
      await parts.accessLog.append(entry);
      readings.set(key, { since: at, count: 0 });
      if (type === 'access.exported') parts.warn({ entry: entry.id, type, what, by, about });
    },
    /** Writes what was counted in windows that are over by then. */
    async flush(until = now()) {
      for (const [key, tally] of readings) if (!closeWindow(tally, until, readingWindow).tally) readings.delete(key);
      for (const [key, watched] of refusals) {
        const { tally, reportCount } = closeWindow(watched, until, refusalWindow);
        if (tally) refusals.set(key, { ...watched, ...tally, about: reportCount > 0 ? new Set() : watched.about });
        else refusals.delete(key);
        const { refused, about, since } = watched;
        if (reportCount > 0) await report(parts, { ...refused, about: [...about] }, { count: reportCount, since });
      }
    },
  };
}

export type AccessWatch = ReturnType<typeof createAccessWatch>;

/** Facts of the request that was given out, if it is one. */
async function factsOf(parts: AccessParts, [id = '']: readonly string[]): Promise<RequestFacts | null> {
  const row = isId('elicitation', id) ? await provenRow(parts, id) : null;
  return row && requestFacts(row);
}

const keyOf = ({ type, what, by, address }: Refused): string =>
  JSON.stringify([type, what, by, by.kind === 'stranger' ? address : '']);

/** The line is there even if the entry cannot be written. */
async function report(
  { accessLog, ring, now, warn }: AccessParts,
  { type, what, by, about, address }: Refused,
  { count, since }: { count: number; since: number },
): Promise<void> {
  const source = by.kind === 'stranger' ? { source: hashOfName(ring, 'address', address) } : {};
  const event = { type, what, about: [...about], ...source, count, since };
  const entry = auditEntry(newId('entry'), now(), by, event);
  const isWritten = await accessLog.append(entry).then(
    () => true,
    () => false,
  );
  warn({ entry: isWritten ? entry.id : null, type, what, by, about, address, count });
}

/**
 * Keyed hash of a name that no one here has, for the log: equal names have equal hashes, and no one reads them without
 * the secret.
 */
export const hashOfName = (ring: KeyRing, kind: NameKind, name: string): string =>
  shortHex(lookupHash(ring, 'access', kind, name));

/** Hashes of the name in the log, also from before a rotation of secrets. */
export const hashesOfName = (ring: KeyRing, kind: NameKind, name: string): string[] =>
  lookupHashes(ring, 'access', kind, name).map(shortHex);

type NameKind = 'address' | 'email' | 'requester' | 'identity';

const shortHex = (hash: Buffer): string => hash.toString('hex').slice(0, 32);

/** Occurrences since the latest entry, of one kind and from one source. */
export interface Tally {
  /** When that entry was written. */
  since: number;
  /** Number of repetitions that no entry covers yet. */
  count: number;
}

/** Milliseconds within which what repeats itself is counted and not written. */
const refusalWindow = 10 * 60_000;
const readingWindow = 60 * 60_000;

/** Sources of strangers that a node counts apart at a time; all others count together. */
export const maxSources = 100;

/**
 * Counts one more occurrence: the first, and the first after a window, is reported at once; within the window it is
 * counted. `reportCount` is the number that the entry reports, 0 for no entry.
 */
export function countOne(tally: Tally | undefined, now: number, window: number): { tally: Tally; reportCount: number } {
  const isOver = !tally || now >= tally.since + window;
  return isOver
    ? { tally: { since: now, count: 0 }, reportCount: (tally?.count ?? 0) + 1 }
    : { tally: { ...tally, count: tally.count + 1 }, reportCount: 0 };
}

/** Closes a window that is over: its count is reported and opens the next; a window without a count is forgotten. */
export function closeWindow(tally: Tally, now: number, window: number): { tally: Tally | null; reportCount: number } {
  if (now < tally.since + window) return { tally, reportCount: 0 };
  return tally.count === 0
    ? { tally: null, reportCount: 0 }
    : { tally: { since: now, count: 0 }, reportCount: tally.count };
}
