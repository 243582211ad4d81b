CREATE TABLE "server" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "server_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "server_name_key" ON "server"("name");

CREATE TABLE "api_key" (
    "kid" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "api_key_pkey" PRIMARY KEY ("kid"),
    CONSTRAINT "api_key_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),
    CONSTRAINT "account_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "account_role_check" CHECK ("role" IN ('admin', 'approver', 'reviewer')),
    CONSTRAINT "account_email_lower_check" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "account_email_key" ON "account"("email");

CREATE TABLE "session" (
    "hash" BYTEA NOT NULL,
    "account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "session_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "session_account_id_idx" ON "session"("account_id");

CREATE TABLE "link" (
    "hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "account_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    CONSTRAINT "link_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "link_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE
);

CREATE TABLE "tool_call" (
    "id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "tool" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "attempt" TEXT,
    "claimed_at" TIMESTAMPTZ(3),
    "result" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "tool_call_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tool_call_state_check" CHECK ("state" IN ('open', 'claimed', 'completed', 'settled')),
    CONSTRAINT "tool_call_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
-- a retried call finds its first self until its result has been handed over
CREATE UNIQUE INDEX "tool_call_unsettled_key" ON "tool_call"("server_id", "key_hash") WHERE "state" <> 'settled';

CREATE TABLE "elicitation" (
    "id" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "risk" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "cause" TEXT,
    "caller" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "machine_version" INTEGER NOT NULL,
    "snapshot" JSONB NOT NULL,
    "timers" JSONB NOT NULL,
    "wake_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "request_hash" BYTEA NOT NULL,
    "session_hash" BYTEA,
    "digest" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "owner" BYTEA NOT NULL,
    "data_key" BYTEA,
    "payload" BYTEA NOT NULL,
    "answer" BYTEA,
    CONSTRAINT "elicitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "elicitation_status_check" CHECK ("status" IN ('open', 'accepted', 'declined', 'cancelled', 'expired')),
    CONSTRAINT "elicitation_closed_check" CHECK (("status" = 'open') = ("closed_at" IS NULL)),
    CONSTRAINT "elicitation_tool_call_id_fkey" FOREIGN KEY ("tool_call_id") REFERENCES "tool_call"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "elicitation_tool_call_id_step_key" ON "elicitation"("tool_call_id", "step");
CREATE INDEX "elicitation_status_deadline_at_id_idx" ON "elicitation"("status", "deadline_at", "id");
CREATE INDEX "elicitation_server_id_status_idx" ON "elicitation"("server_id", "status");
CREATE INDEX "elicitation_closed_at_id_idx" ON "elicitation"("closed_at", "id");
CREATE INDEX "elicitation_tool_idx" ON "elicitation"("tool");
CREATE INDEX "elicitation_session_hash_idx" ON "elicitation"("session_hash");
CREATE INDEX "elicitation_wake_at_idx" ON "elicitation"("wake_at") WHERE "wake_at" IS NOT NULL;

CREATE TABLE "vote" (
    "id" TEXT NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "stage" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "comment" BYTEA,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "vote_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "vote_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "vote_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "vote_elicitation_id_revision_stage_account_id_key" ON "vote"("elicitation_id", "revision", "stage", "account_id");

CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "elicitation_id" TEXT,
    "body" BYTEA NOT NULL,
    "leaf_hash" BYTEA NOT NULL,
    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_entry_elicitation_id_at_id_idx" ON "audit_entry"("elicitation_id", "at", "id");
CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry"("at", "id");

CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    -- The writer's transaction: everything below the oldest one still running has been seen whole.
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "topic" TEXT NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "outbox_xid_id_idx" ON "outbox"("xid", "id");

-- The audit log and the votes only grow, whoever asks.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END;
$$;
CREATE TRIGGER audit_entry_no_change BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vote_no_change BEFORE UPDATE OR DELETE ON "vote"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vote_no_truncate BEFORE TRUNCATE ON "vote"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE VIEW "audit_log" WITH (security_barrier) AS
  SELECT "id", "at", "type", "elicitation_id", convert_from("body", 'UTF8')::jsonb AS "entry", "leaf_hash" FROM "audit_entry";

-- Roles belong to the cluster, not to the database: create only what is not there. Who may not create roles
-- can have them made beforehand; the triggers hold either way.
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['assentry_app', 'assentry_auditor'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
    EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
      NULL;
    END;
  END LOOP;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'assentry_app') THEN
    GRANT USAGE ON SCHEMA public TO assentry_app;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO assentry_app;
    GRANT INSERT, UPDATE ON "server", "api_key", "account", "link", "tool_call", "elicitation" TO assentry_app;
    GRANT INSERT, UPDATE, DELETE ON "session" TO assentry_app;
    GRANT INSERT ON "vote", "audit_entry" TO assentry_app;
    GRANT INSERT, DELETE ON "outbox" TO assentry_app;
    GRANT USAGE ON SEQUENCE "outbox_id_seq" TO assentry_app;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'assentry_auditor') THEN
    GRANT USAGE ON SCHEMA public TO assentry_auditor;
    GRANT SELECT ON "audit_log" TO assentry_auditor;
  END IF;
END;
$$;
