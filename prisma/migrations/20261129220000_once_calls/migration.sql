-- Names of calls that run at most once, whatever becomes of their requests, and the call that has the name.
CREATE TABLE "once_call" (
  "server_id" TEXT NOT NULL REFERENCES "server" ("id"),
  "key_hash" BYTEA NOT NULL,
  "tool_call_id" TEXT NOT NULL REFERENCES "tool_call" ("id"),
  PRIMARY KEY ("server_id", "key_hash")
);
