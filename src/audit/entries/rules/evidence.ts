import { sha256Hex } from '#platform/crypto/digest';
import { type KeyRing, holdsMac, ringMac } from '#platform/crypto/key-ring';
import { canonicalText } from '#platform/model/hashed-text';
import { Problem } from '#platform/model/problem';
import {
  entryBody,
  isSubject,
  readEntry,
  type AuditEntry,
  type StoredEvent,
  leafHash,
  type Actor,
  type AuditEvent,
} from './entry.ts';

/** A stored entry, which is written together with its rows. */
export interface SealedEntry extends SearchKeys {
  id: string;
  at: number;
  type: string;
  elicitationId: string | null;
  /** The row, apart from the request, whose state follows from it; or null. */
  subjectId: string | null;
  /** Canonical JSON (RFC 8785) as UTF-8: the bytes that the leaf hash and the MAC cover. */
  body: Buffer;
  leafHash: Buffer;
  /** Only a holder of the secrets can make it: rights over the database alone are not enough. */
  mac: Buffer;
}

/** The latest entry about a row, read together with it. */
export interface Proof {
  id: string;
  body: Uint8Array;
  mac: Uint8Array;
}

/** The rows of a change in their new state: the digest of each under its id. */
export type RowDigests = Readonly<Record<string, string>>;

/**
 * Evidence for a stored row: the latest entry about it carries the digest of the row, under a MAC of the key ring. A
 * row that was changed without the server matches no entry. `onUnproven` gets the id of each that does not match the log.
 */
export function createEvidence(ring: KeyRing, onUnproven: (rowId: string) => void) {
  const open = ({ id, body, mac }: Proof): StoredEvent | null => {
    if (!holdsMac(ring, 'evidence', body, mac)) return null;
    const entry = readEntry(body);
    return entry.id === id ? entry : null; // a copy of an older entry would reset the row
  };
  const proves = (proof: Proof | null, rowId: string, digest: string): boolean => {
    const isProven = proof !== null && open(proof)?.rows?.[rowId] === digest;
    if (!isProven) onUnproven(rowId);
    return isProven;
  };
  return {
    /** The entry with the digests of what it changed. Throws if it is not about the subject: that row would have no evidence. */
    seal(entry: AuditEntry, rows: RowDigests, subjectId?: string): SealedEntry {
      const { id, at, actor, event } = entry;
      if (subjectId !== undefined && !isSubject(event, rows, subjectId))
        throw new Problem('internal', { cause: `the entry of ${event.type} has no digest of ${subjectId}` });
      const body = entryBody(entry, rows);
      const elicitationId = 'elicitation' in event ? event.elicitation : null;
      const mac = ringMac(ring, 'evidence', body);
      return {
        id,
        at,
        type: event.type,
        elicitationId,
        subjectId: subjectId ?? null,
        body,
        leafHash: leafHash(body),
        mac,
        ...searchKeys(actor, event),
      };
    },
    /** The entry if this installation wrote it under this id; otherwise null. */
    open,
    /** Whether the row matches its latest entry. A mismatch is reported to the operator. */
    proves,
    /** Throws problem `unproven` if the row is not proven. */
    require(proof: Proof | null, rowId: string, digest: string) {
      if (!proves(proof, rowId, digest)) throw new Problem('unproven');
    },
    /** Reports this row to the operator. */
    report: onUnproven,
  };
}

export type Evidence = ReturnType<typeof createEvidence>;

/** Columns of a row in a fixed order. */
type Columns = readonly (string | number | boolean | null | undefined | Uint8Array | Date | object)[];

/** The digest of a row of this table: it changes with any of these columns. */
export const rowDigest = (table: string, columns: Columns): string =>
  sha256Hex(canonicalText([table, ...columns.map(plain)]));

/** Bytes count as their digest, times as milliseconds. What is undefined in JSON does not count: the database drops it. */
function plain(value: Columns[number]): unknown {
  if (value instanceof Uint8Array) return { sha256: sha256Hex(value) };
  if (value instanceof Date) return value.getTime();
  return value ?? null;
}

/** Search keys of an entry besides its request, each in a column of its own; empty where the entry has none. */
export interface SearchKeys {
  /** The actor. */
  person: string;
  /** The start of the digest of the question that was opened or edited. */
  digest: string;
  /** Name of the asking client. */
  client: string;
}

/** The search keys of this entry. */
export const searchKeys = (actor: Actor, event: AuditEvent): SearchKeys => ({
  person: actor.kind === 'user' ? actor.id : '',
  digest: event.type === 'elicitation.opened' || event.type === 'elicitation.edited' ? startOfDigest(event.digest) : '',
  client: (event.type === 'elicitation.opened' && event.client) || '',
});

/** Enough of a digest to find the few entries of which one may have it. */
export const startOfDigest = (digest: string): string => digest.slice(0, 16);
