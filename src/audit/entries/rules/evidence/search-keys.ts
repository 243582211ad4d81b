import type { Actor, AuditEvent } from '../entry/entry.ts';

/** What a search asks an entry for next to its request, each in a column of its own; empty where the entry has none. */
export interface SearchKeys {
  /** Who did it. */
  person: string;
  /** The start of the digest of the question that was opened or edited. */
  digest: string;
  /** What the asking client calls itself. */
  client: string;
}

/** What a search finds this entry by. */
export const searchKeys = (actor: Actor, event: AuditEvent): SearchKeys => ({
  person: actor.kind === 'user' ? actor.id : '',
  digest: event.type === 'elicitation.opened' || event.type === 'elicitation.edited' ? startOfDigest(event.digest) : '',
  client: (event.type === 'elicitation.opened' && event.client) || '',
});

/** Enough of a digest to find the few entries of which one may have it. */
export const startOfDigest = (digest: string): string => digest.slice(0, 16);
