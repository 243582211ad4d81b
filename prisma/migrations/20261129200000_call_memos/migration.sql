-- What a step of a call made, kept for the next run of the call: sealed under the key of the call's first request.
CREATE TABLE "call_memo" (
  "id" TEXT PRIMARY KEY,
  "server_id" TEXT NOT NULL REFERENCES "server" ("id"),
  "scope_hash" BYTEA NOT NULL,
  "key_hash" BYTEA NOT NULL,
  "tool_call_id" TEXT REFERENCES "tool_call" ("id"),
  "value" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "call_memo_scope" ON "call_memo" ("scope_hash", "key_hash") WHERE "tool_call_id" IS NULL;
CREATE UNIQUE INDEX "call_memo_call" ON "call_memo" ("tool_call_id", "key_hash") WHERE "tool_call_id" IS NOT NULL;
CREATE INDEX "call_memo_created_at" ON "call_memo" ("created_at") WHERE "tool_call_id" IS NULL;
