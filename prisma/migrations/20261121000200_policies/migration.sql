-- People: who reports to whom, by which names MCP clients know them, and what they may do beside voting.
ALTER TABLE "account"
    ADD COLUMN "manager_id" TEXT,
    ADD COLUMN "subjects" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "may_break_glass" BOOLEAN NOT NULL DEFAULT false,
    ADD CONSTRAINT "account_manager_id_fkey" FOREIGN KEY ("manager_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    ADD CONSTRAINT "account_manager_check" CHECK ("manager_id" <> "id");
ALTER TABLE "server"
    ADD COLUMN "owner_id" TEXT,
    ADD CONSTRAINT "server_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "session" ADD COLUMN "authenticated_at" TIMESTAMPTZ(3);
UPDATE "session" SET "authenticated_at" = "created_at";
ALTER TABLE "session" ALTER COLUMN "authenticated_at" SET NOT NULL;

CREATE TABLE "team" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "team_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "team_name_key" ON "team"("name");

CREATE TABLE "team_member" (
    "team_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    CONSTRAINT "team_member_pkey" PRIMARY KEY ("team_id", "account_id"),
    CONSTRAINT "team_member_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "team_member_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "team_member_account_id_idx" ON "team_member"("account_id");

-- While it lasts, `to_id` may vote for `from_id`; no policies named means all of them.
CREATE TABLE "delegation" (
    "id" TEXT NOT NULL,
    "from_id" TEXT NOT NULL,
    "to_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "policies" TEXT[] NOT NULL DEFAULT '{}',
    "note" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "delegation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "delegation_self_check" CHECK ("from_id" <> "to_id"),
    CONSTRAINT "delegation_time_check" CHECK ("starts_at" < "ends_at"),
    CONSTRAINT "delegation_from_id_fkey" FOREIGN KEY ("from_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "delegation_to_id_fkey" FOREIGN KEY ("to_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "delegation_to_id_ends_at_idx" ON "delegation"("to_id", "ends_at");
CREATE INDEX "delegation_from_id_ends_at_idx" ON "delegation"("from_id", "ends_at");

-- Policies: a name, and immutable versions of its document. At most one version is published, one in shadow.
CREATE TABLE "policy" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "published_version" INTEGER,
    "shadow_version" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "policy_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "policy_name_key" ON "policy"("name");

CREATE TABLE "policy_version" (
    "policy_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    -- draft, in-review, approved, rejected
    "state" TEXT NOT NULL,
    -- YAML as its author wrote it
    "document" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    -- null where the operator applied it from a repository
    "author_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "reviewer_id" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "published_at" TIMESTAMPTZ(3),
    CONSTRAINT "policy_version_pkey" PRIMARY KEY ("policy_id", "version"),
    CONSTRAINT "policy_version_state_check" CHECK ("state" IN ('draft', 'in-review', 'approved', 'rejected')),
    CONSTRAINT "policy_version_reviewer_check" CHECK ("reviewer_id" <> "author_id"),
    CONSTRAINT "policy_version_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policy"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "policy_version_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "policy_version_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
-- only a draft's words may change
CREATE FUNCTION refuse_policy_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."state" <> 'draft' AND (NEW."document" <> OLD."document" OR NEW."digest" <> OLD."digest") THEN
    RAISE EXCEPTION 'a version that left its draft never changes';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER policy_version_no_change BEFORE UPDATE ON "policy_version"
  FOR EACH ROW EXECUTE FUNCTION refuse_policy_change();

-- What a version in shadow would have done with a real request.
CREATE TABLE "shadow_result" (
    "elicitation_id" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "live" TEXT NOT NULL,
    "shadow" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "shadow_result_pkey" PRIMARY KEY ("elicitation_id", "policy"),
    CONSTRAINT "shadow_result_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "shadow_result_policy_at_idx" ON "shadow_result"("policy", "at");

-- One counter for each thing nodes keep in memory: a higher number means read it anew.
CREATE TABLE "epoch" (
    "name" TEXT NOT NULL,
    "value" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "epoch_pkey" PRIMARY KEY ("name")
);
INSERT INTO "epoch" ("name") VALUES ('policies'), ('people');
CREATE FUNCTION bump_epoch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE "epoch" SET "value" = "value" + 1 WHERE "name" = TG_ARGV[0];
  RETURN NULL;
END;
$$;
CREATE TRIGGER policy_epoch AFTER INSERT OR UPDATE OR DELETE ON "policy"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('policies');
CREATE TRIGGER account_epoch AFTER INSERT OR UPDATE OR DELETE ON "account"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('people');
CREATE TRIGGER server_epoch AFTER INSERT OR UPDATE OR DELETE ON "server"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('people');
CREATE TRIGGER team_epoch AFTER INSERT OR UPDATE OR DELETE ON "team"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('people');
CREATE TRIGGER team_member_epoch AFTER INSERT OR UPDATE OR DELETE ON "team_member"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('people');
CREATE TRIGGER delegation_epoch AFTER INSERT OR UPDATE OR DELETE ON "delegation"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('people');

-- Elicitations: why this policy (sealed), the votes for others, the revisions that were replaced, what people said.
ALTER TABLE "elicitation" ADD COLUMN "explanation" BYTEA, ADD COLUMN "requester_hash" BYTEA;
CREATE INDEX "elicitation_requester_hash_idx" ON "elicitation"("requester_hash", "status");

ALTER TABLE "vote"
    ADD COLUMN "for_id" TEXT,
    ADD COLUMN "cast" INTEGER NOT NULL DEFAULT 0,
    ADD CONSTRAINT "vote_for_id_fkey" FOREIGN KEY ("for_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- `cast` counts how often this person has voted here: a withdrawn vote stays, and may be cast again.
DROP INDEX "vote_elicitation_id_revision_stage_account_id_key";
CREATE UNIQUE INDEX "vote_elicitation_id_revision_stage_account_id_cast_key" ON "vote"("elicitation_id", "revision", "stage", "account_id", "cast");

CREATE TABLE "revision" (
    "elicitation_id" TEXT NOT NULL,
    -- the number of the revision that was replaced
    "revision" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    -- sealed: the question as it was
    "payload" BYTEA NOT NULL,
    -- who replaced it
    "account_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "revision_pkey" PRIMARY KEY ("elicitation_id", "revision"),
    CONSTRAINT "revision_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "revision_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "remark" (
    "id" TEXT NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    -- comment, question, reply
    "kind" TEXT NOT NULL,
    -- null for the requester's reply
    "account_id" TEXT,
    -- the question a reply answers
    "reply_to" TEXT,
    -- sealed
    "body" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "remark_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "remark_kind_check" CHECK ("kind" IN ('comment', 'question', 'reply')),
    CONSTRAINT "remark_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "remark_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "remark_reply_to_fkey" FOREIGN KEY ("reply_to") REFERENCES "remark"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "remark_elicitation_id_at_idx" ON "remark"("elicitation_id", "at");
CREATE UNIQUE INDEX "remark_reply_to_key" ON "remark"("reply_to") WHERE "reply_to" IS NOT NULL;

-- A standing approval: what may run without asking again, until when, how often.
CREATE TABLE "standing_grant" (
    "id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "tool_schema" TEXT,
    -- keyed hash of the requester's subject
    "requester_hash" BYTEA NOT NULL,
    -- sealed under the data key of the elicitation it came from: the requester and the constraint on arguments
    "terms" BYTEA NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    -- lapses at this time unless somebody reviews it
    "review_at" TIMESTAMPTZ(3),
    "uses_left" INTEGER,
    "budget_left" NUMERIC,
    "suspended_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    CONSTRAINT "standing_grant_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "standing_grant_uses_check" CHECK ("uses_left" >= 0),
    CONSTRAINT "standing_grant_budget_check" CHECK ("budget_left" >= 0),
    CONSTRAINT "standing_grant_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "standing_grant_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "standing_grant_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "standing_grant_lookup_idx" ON "standing_grant"("server_id", "tool", "requester_hash") WHERE "revoked_at" IS NULL;

-- A request that was decided past its policy, and the review that is due.
CREATE TABLE "break_glass" (
    "elicitation_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    -- sealed
    "reason" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "review_due_at" TIMESTAMPTZ(3) NOT NULL,
    "reviewer_id" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    -- sealed
    "finding" BYTEA,
    CONSTRAINT "break_glass_pkey" PRIMARY KEY ("elicitation_id"),
    CONSTRAINT "break_glass_reviewer_check" CHECK ("reviewer_id" <> "account_id"),
    CONSTRAINT "break_glass_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "break_glass_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "break_glass_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TRIGGER revision_no_change BEFORE UPDATE OR DELETE ON "revision"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER revision_no_truncate BEFORE TRUNCATE ON "revision"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER remark_no_change BEFORE UPDATE OR DELETE ON "remark"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER remark_no_truncate BEFORE TRUNCATE ON "remark"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'assentry_app') THEN
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO assentry_app;
    GRANT INSERT, UPDATE ON "team", "delegation", "policy", "policy_version", "standing_grant", "break_glass" TO assentry_app;
    GRANT INSERT, UPDATE, DELETE ON "team_member" TO assentry_app;
    GRANT DELETE ON "team" TO assentry_app;
    GRANT INSERT ON "shadow_result", "revision", "remark" TO assentry_app;
  END IF;
END;
$$;
