-- The arguments of calls that ran by a pass, each sealed under a key of its own, and why someone read them.
CREATE TABLE "passed_call" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "server_id" TEXT NOT NULL REFERENCES "server" ("id"),
  "tool" TEXT NOT NULL,
  "policy" TEXT NOT NULL,
  "requester_hash" BYTEA NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "owner" BYTEA NOT NULL,
  "data_key" BYTEA,
  "arguments" BYTEA NOT NULL
);
CREATE INDEX "passed_call_requester_hash_idx" ON "passed_call" ("requester_hash");
CREATE INDEX "passed_call_at_idx" ON "passed_call" ("at");

CREATE TABLE "passed_look" (
  "call_id" TEXT NOT NULL REFERENCES "passed_call" ("id"),
  "user_id" TEXT NOT NULL REFERENCES "app_user" ("id"),
  "reason" BYTEA NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("call_id", "user_id", "at")
);
