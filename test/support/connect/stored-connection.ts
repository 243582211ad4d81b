import pg from 'pg';
import { sealKept } from '#connect/connections/rules';
import type { CredentialPlace } from '#connect/credentials/rules';
import { sealSecret, secretKey } from '#connect/secrets/rules';
import { principalHash, type KeyRing } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import type { ServerId, UserId } from '#platform/model/id';
import type { Identity } from '#platform/model/identity';
import type { TestServer } from '../nodes/server.ts';

interface Belonging {
  serverId: ServerId;
  userId: UserId;
  person: Identity;
}

/** A connection of this person as a return from a provider leaves it, at a provider of which the node knows nothing. */
export const addConnection = (server: TestServer, of: Belonging): Promise<string> => {
  const tokens = { accessToken: 'a-token', refreshToken: null, expiresAt: null, scopes: [] };
  const kept = { tokens, account: { id: '1', label: 'named' } };
  return addRow(server, of, 'elsewhere', (ring, place) => sealKept(ring, place, kept));
};

/** A secret of this person as its page leaves it. */
export const addSecret = (server: TestServer, of: Belonging): Promise<string> =>
  addRow(server, of, secretKey('Key', null), (ring, place) =>
    sealSecret(ring, place, { label: 'Key', secret: 'a-secret' }),
  );

async function addRow(
  { engine: { ring, now }, databaseUrl }: TestServer,
  { serverId, userId, person }: Belonging,
  provider: string,
  seal: (ring: KeyRing, place: CredentialPlace) => Buffer,
): Promise<string> {
  const hash = principalHash(ring, serverId, person);
  const place = { id: newId('credential'), serverId, userId, hash, provider };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client
    .query(
      `INSERT INTO upstream_credential (id, server_id, user_id, hash, sealed, stored_at, provider)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [place.id, serverId, userId, hash, seal(ring, place), new Date(now()), place.provider],
    )
    .finally(() => client.end());
  return place.id;
}
