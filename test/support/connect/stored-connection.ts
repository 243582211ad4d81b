import pg from 'pg';
import { sealKept } from '#connect/connections/rules';
import { principalHash } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import type { ServerId, UserId } from '#platform/model/id';
import type { Identity } from '#platform/model/identity';
import type { TestServer } from '../nodes/server.ts';

/** A connection of this person as a return from a provider leaves it, at a provider of which the node knows nothing. */
export async function addConnection(
  { engine: { ring, now }, databaseUrl }: TestServer,
  { serverId, userId, person }: { serverId: ServerId; userId: UserId; person: Identity },
): Promise<string> {
  const hash = principalHash(ring, serverId, person);
  const place = { id: newId('credential'), serverId, userId, hash, provider: 'elsewhere' };
  const tokens = { accessToken: 'a-token', refreshToken: null, expiresAt: null, scopes: [] };
  const sealed = sealKept(ring, place, { tokens, account: { id: '1', label: 'named' } });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client
    .query(
      `INSERT INTO upstream_credential (id, server_id, user_id, hash, sealed, stored_at, provider)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [place.id, serverId, userId, hash, sealed, new Date(now()), place.provider],
    )
    .finally(() => client.end());
  return place.id;
}
