-- A connection is a credential that a provider of the settings has given, and that can be renewed. Without a console, on
-- one's own machine, it belongs to a requester who is no user.
ALTER TABLE "upstream_credential"
  ALTER COLUMN "user_id" DROP NOT NULL,
  ADD COLUMN "provider" TEXT,
  ADD COLUMN "expires_at" TIMESTAMPTZ(3),
  ADD COLUMN "refresh_until" TIMESTAMPTZ(3),
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;

-- Someone's way to a provider and back. The secret of the browser that left is in its cookie alone.
CREATE TABLE "connection_attempt" (
  "state_hash" BYTEA NOT NULL,
  "secret_hash" BYTEA NOT NULL,
  "elicitation_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "session_id" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "connection_attempt_pkey" PRIMARY KEY ("state_hash"),
  CONSTRAINT "connection_attempt_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "connection_attempt_elicitation_id_idx" ON "connection_attempt" ("elicitation_id");
CREATE INDEX "connection_attempt_expires_at_idx" ON "connection_attempt" ("expires_at");

-- Tokens of removed connections, until their provider has withdrawn them.
CREATE TABLE "connection_withdrawal" (
  "id" TEXT NOT NULL,
  "server_id" TEXT NOT NULL,
  "user_id" TEXT,
  "hash" BYTEA NOT NULL,
  "provider" TEXT NOT NULL,
  "sealed" BYTEA NOT NULL,
  "removed_at" TIMESTAMPTZ(3) NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "connection_withdrawal_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "connection_withdrawal_due_at_idx" ON "connection_withdrawal" ("due_at");
