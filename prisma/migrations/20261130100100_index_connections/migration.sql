-- no-transaction: requests go on while it is built
-- One connection of a person for a server to a provider.
CREATE UNIQUE INDEX CONCURRENTLY "upstream_credential_connection"
  ON "upstream_credential" ("server_id", "hash", "provider") WHERE "provider" IS NOT NULL;
