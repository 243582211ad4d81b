import { moment } from '#platform/database/sql';
import type { Ledger } from '#audit/entries/store/entries';
import { copy } from '#people/directory/store/directory-record';
import type { ClientPlace } from './rules.ts';

/** A client at an issuer, sealed. */
export interface StoredClient extends ClientPlace {
  sealed: Uint8Array;
  /** Milliseconds since 1970 at which its secret ends; null if it does not. */
  expiresAt: number | null;
}

interface Lease {
  now: number;
  until: number;
}

export const createRegisteredClients = ({ prisma }: Ledger) => ({
  async find(place: ClientPlace): Promise<StoredClient | null> {
    const row = await prisma.registeredClient.findUnique({ where: { issuer_redirectUri: keyOf(place) } });
    return row?.sealed ? { ...keyOf(place), sealed: row.sealed, expiresAt: row.expiresAt?.getTime() ?? null } : null;
  },
  /** Lets one node register it until then; false if another one does, or has. */
  async lease({ issuer, redirectUri }: ClientPlace, { now, until }: Lease): Promise<boolean> {
    const leased = await prisma.$queryRaw<unknown[]>`
      INSERT INTO registered_client AS c (issuer, redirect_uri, leased_until)
      VALUES (${issuer}, ${redirectUri}, ${moment(until)})
      ON CONFLICT (issuer, redirect_uri) DO UPDATE SET leased_until = excluded.leased_until
       WHERE (c.sealed IS NULL OR c.expires_at <= ${moment(now)})
         AND (c.leased_until IS NULL OR c.leased_until <= ${moment(now)})
      RETURNING 1 AS leased`;
    return leased.length === 1;
  },
  /** Stores what the issuer has registered, and ends the lease. */
  async keep({ sealed, expiresAt, ...place }: StoredClient) {
    const data = {
      sealed: copy(sealed),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      leasedUntil: null,
    };
    await prisma.registeredClient.updateMany({ where: keyOf(place), data });
  },
  /** Ends a lease whose registration has failed. */
  async release(place: ClientPlace) {
    await prisma.registeredClient.updateMany({ where: keyOf(place), data: { leasedUntil: null } });
  },
  /** Forgets this client, so that the next node registers another one; nothing if another one has taken its place. */
  async forget({ sealed, ...place }: ClientPlace & { sealed: Uint8Array }) {
    const where = { ...keyOf(place), sealed: copy(sealed) };
    await prisma.registeredClient.updateMany({ where, data: { sealed: null, expiresAt: null } });
  },
  async list(): Promise<(ClientPlace & { sealed: Uint8Array })[]> {
    const rows = await prisma.registeredClient.findMany({ orderBy: [{ issuer: 'asc' }, { redirectUri: 'asc' }] });
    return rows.flatMap(({ sealed, ...place }) => (sealed ? [{ ...keyOf(place), sealed }] : []));
  },
  async rewrap(place: ClientPlace, { was, now }: { was: Uint8Array; now: Uint8Array }) {
    const where = { ...keyOf(place), sealed: copy(was) };
    await prisma.registeredClient.updateMany({ where, data: { sealed: copy(now) } });
  },
});

const keyOf = ({ issuer, redirectUri }: ClientPlace): ClientPlace => ({ issuer, redirectUri });
