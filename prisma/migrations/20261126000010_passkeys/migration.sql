-- Passkeys of people. A removed one stays as a row, so that its latest entry says so. What a passkey counts for besides its
-- person is kept with it: the administrator whose link made the sign-in under which it was added.
CREATE TABLE "passkey" (
  "id" TEXT PRIMARY KEY,
  "user_id" TEXT NOT NULL REFERENCES "app_user" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "credential_id" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "transports" TEXT[] NOT NULL DEFAULT '{}',
  "aaguid" TEXT NOT NULL,
  "is_backed_up" BOOLEAN NOT NULL,
  "name" TEXT NOT NULL,
  "issued_by_id" TEXT,
  "entry_id" TEXT NOT NULL,
  "added_at" TIMESTAMPTZ(3) NOT NULL,
  "removed_at" TIMESTAMPTZ(3),
  "counter" BIGINT NOT NULL DEFAULT 0,
  "used_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey" ("credential_id");
CREATE INDEX "passkey_user_id_idx" ON "passkey" ("user_id");

-- Random values that a passkey signs, by their hash: each is used once, within minutes, by the browser that got it.
CREATE TABLE "passkey_challenge" (
  "hash" BYTEA PRIMARY KEY,
  "purpose" TEXT NOT NULL,
  "bound_to" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge" ("expires_at");

-- The passkey by which the person of a session last proved who they are; null for another way.
ALTER TABLE "session" ADD COLUMN "passkey_id" TEXT REFERENCES "passkey" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
