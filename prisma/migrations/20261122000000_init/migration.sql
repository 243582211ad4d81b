-- Every table with its indexes, then what keeps them as they are, then who may do what.
-- "user", "group" and "grant" are words of SQL: their tables are app_user, app_group and app_grant.

-- People of the console.
CREATE TABLE "app_user" (
    "id" TEXT NOT NULL,
    -- lower case; what they sign in with
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),
    "manager_id" TEXT,
    -- the names MCP clients know them by, next to the e-mail address
    "subjects" TEXT[] NOT NULL DEFAULT '{}',
    "may_break_glass" BOOLEAN NOT NULL DEFAULT false,
    -- who they are in Slack, as an administrator says
    "slack_id" TEXT,
    -- who made the way to the password, and to the member of Slack; null for the operator
    "password_issuer_id" TEXT,
    "slack_issuer_id" TEXT,
    -- is or was an administrator, so that another one cannot decide alone; only the operator takes it back
    "shares_power" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "app_user_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "app_user_role_check" CHECK ("role" IN ('admin', 'approver', 'reviewer')),
    CONSTRAINT "app_user_email_lower_check" CHECK ("email" = lower("email")),
    CONSTRAINT "app_user_manager_check" CHECK ("manager_id" <> "id"),
    CONSTRAINT "app_user_manager_id_fkey" FOREIGN KEY ("manager_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "app_user_email_key" ON "app_user"("email");
CREATE UNIQUE INDEX "app_user_slack_id_key" ON "app_user"("slack_id");

-- Users that policies can name together.
CREATE TABLE "app_group" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "app_group_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "app_group_name_key" ON "app_group"("name");

CREATE TABLE "group_member" (
    "group_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    CONSTRAINT "group_member_pkey" PRIMARY KEY ("group_id", "user_id"),
    CONSTRAINT "group_member_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "app_group"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "group_member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "group_member_user_id_idx" ON "group_member"("user_id");

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
    CONSTRAINT "delegation_from_id_fkey" FOREIGN KEY ("from_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "delegation_to_id_fkey" FOREIGN KEY ("to_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "delegation_to_id_ends_at_idx" ON "delegation"("to_id", "ends_at");
CREATE INDEX "delegation_from_id_ends_at_idx" ON "delegation"("from_id", "ends_at");

-- A signed-in browser. The cookie holds the secret, the row its SHA-256.
CREATE TABLE "session" (
    "hash" BYTEA NOT NULL,
    -- by which its person names it; the hash changes when the password is proven again
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- what the browser said it is, and where the sign-in came from
    "agent" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    -- when they last proved to be who they are: a session may be old, a proof must be fresh
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "session_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "session_id_key" ON "session"("id");
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- A one-time link: to create the first administrator, or to set a password.
CREATE TABLE "link" (
    "hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "user_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    -- the administrator who made it; null for the operator
    "issuer_id" TEXT,
    -- the secret, sealed, of a link that goes by mail
    "sealed" BYTEA,
    CONSTRAINT "link_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "link_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- An MCP server that may ask.
CREATE TABLE "server" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "owner_id" TEXT,
    CONSTRAINT "server_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "server_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "server_name_key" ON "server"("name");

CREATE TABLE "api_key" (
    "kid" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    -- SHA-256 of the key; the key itself was shown once and is nowhere
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),
    -- to the minute: anyone who revokes keys sees which ones still serve
    "last_used_at" TIMESTAMPTZ(3),
    -- the administrator who made it; null for the operator
    "maker_id" TEXT,
    -- null: it does not expire
    "expires_at" TIMESTAMPTZ(3),
    -- patterns of the tools it may ask about
    "tools" TEXT[] NOT NULL DEFAULT '{*}',
    CONSTRAINT "api_key_pkey" PRIMARY KEY ("kid"),
    CONSTRAINT "api_key_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

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
    CONSTRAINT "policy_version_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "policy_version_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The invocation that is blocked. It owns its elicitations in order and releases one execution.
CREATE TABLE "tool_call" (
    "id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    -- keyed hash of the caller's own name for this call
    "key_hash" BYTEA NOT NULL,
    "tool" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    -- which attempt of the caller runs the tool
    "attempt" TEXT,
    "claimed_at" TIMESTAMPTZ(3),
    -- sealed under the data key of the call's first elicitation
    "result" BYTEA,
    -- why its approval was never used: lapsed, or revoked
    "lapse" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "tool_call_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tool_call_state_check" CHECK ("state" IN ('open', 'claimed', 'completed', 'settled')),
    CONSTRAINT "tool_call_lapse_check" CHECK ("lapse" IS NULL OR ("lapse" IN ('lapsed', 'revoked') AND "state" = 'settled')),
    CONSTRAINT "tool_call_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
-- a retried call finds its first self until its result has been handed over
CREATE UNIQUE INDEX "tool_call_unsettled_key" ON "tool_call"("server_id", "key_hash") WHERE "state" <> 'settled';

-- One question to a human. The row is the authority.
CREATE TABLE "elicitation" (
    "id" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    -- keyed hash of what was asked, so that a repeated request is told from a different one
    "request_hash" BYTEA NOT NULL,
    "session_hash" BYTEA,
    -- keyed hash of the requester's subject
    "requester_hash" BYTEA,
    -- Equal requests of one requester: `wish` is empty for a call without a name of its own, and of these one waits at
    -- a time; for a call with a name it is the call.
    "equal_hash" BYTEA,
    "wish" TEXT NOT NULL DEFAULT '',
    -- sealed: session and principal, without which the data key does not open
    "owner" BYTEA NOT NULL,
    -- the wrapped data key; erasure destroys it
    "data_key" BYTEA,
    -- What follows an edit replaces.
    "digest" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    -- sealed: which policy decided, and why
    "explanation" BYTEA,
    "risk" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    -- whom it has named so far: lists look by them, and then ask who may see it now
    "readers" TEXT[] NOT NULL,
    -- What follows may change with each step. It stands last, because PostgreSQL writes only the changed end of a row ahead.
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "machine_version" INTEGER NOT NULL,
    "caller" TEXT NOT NULL,
    -- compare-and-set: every change adds one
    "version" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "cause" TEXT,
    "snapshot" JSONB NOT NULL,
    "timers" JSONB NOT NULL,
    "wake_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "answer" BYTEA,
    CONSTRAINT "elicitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "elicitation_status_check" CHECK ("status" IN ('open', 'accepted', 'declined', 'cancelled', 'expired')),
    CONSTRAINT "elicitation_closed_check" CHECK (("status" = 'open') = ("closed_at" IS NULL)),
    CONSTRAINT "elicitation_tool_call_id_fkey" FOREIGN KEY ("tool_call_id") REFERENCES "tool_call"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
-- A change writes the row again, but not what is stored outside it. Sealed bytes cannot be compressed and seldom change, so
-- they go outside first, when the request is asked; the snapshot changes with each vote and stays inside. The target leaves
-- room for the answer: without it the payload would go outside only with the vote, after it was written inside. Each page
-- keeps room for a row's next version: on its own page PostgreSQL writes only the difference ahead.
ALTER TABLE "elicitation" ALTER COLUMN "payload" SET STORAGE EXTERNAL, ALTER COLUMN "explanation" SET STORAGE EXTERNAL,
    ALTER COLUMN "snapshot" SET STORAGE MAIN, SET (toast_tuple_target = 1800, fillfactor = 60);
CREATE UNIQUE INDEX "elicitation_tool_call_id_step_key" ON "elicitation"("tool_call_id", "step");
CREATE UNIQUE INDEX "elicitation_equal_open_key" ON "elicitation"("equal_hash", "wish") WHERE "status" = 'open';
-- Each order and filter of the inbox is the order of an index; what is open has indexes that what is closed leaves.
CREATE INDEX "elicitation_deadline_idx" ON "elicitation"("deadline_at", "id") WHERE "status" = 'open';
CREATE INDEX "elicitation_risk_idx" ON "elicitation"((CASE "risk" WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END), "deadline_at", "id") WHERE "status" = 'open';
-- An array, because only of arrays PostgreSQL learns which elements are common.
CREATE INDEX "elicitation_open_readers_idx" ON "elicitation" USING gin ("readers") WHERE "status" = 'open';
CREATE INDEX "elicitation_closed_readers_idx" ON "elicitation" USING gin ("readers") WHERE "closed_at" IS NOT NULL;
CREATE INDEX "elicitation_session_hash_idx" ON "elicitation"("session_hash") WHERE "status" = 'open' AND "session_hash" IS NOT NULL;
CREATE INDEX "elicitation_requester_hash_idx" ON "elicitation"("requester_hash") WHERE "status" = 'open';
CREATE INDEX "elicitation_opened_at_id_idx" ON "elicitation"("opened_at", "id");
CREATE INDEX "elicitation_closed_at_id_idx" ON "elicitation"("closed_at", "id") WHERE "closed_at" IS NOT NULL;
CREATE INDEX "elicitation_status_closed_at_id_idx" ON "elicitation"("status", "closed_at", "id") WHERE "closed_at" IS NOT NULL;
CREATE INDEX "elicitation_server_id_closed_at_id_idx" ON "elicitation"("server_id", "closed_at", "id");
CREATE INDEX "elicitation_tool_closed_at_id_idx" ON "elicitation"("tool", "closed_at", "id");
-- By the name of the policy. Open ones as well: a search of the log asks for both, and from a partial index the planner
-- would not learn how common a policy is.
CREATE INDEX "elicitation_policy_closed_at_id_idx" ON "elicitation"((split_part("policy", '@', 1)), "closed_at", "id");
CREATE INDEX "elicitation_requester_closed_at_id_idx" ON "elicitation"("requester_hash", "closed_at", "id") WHERE "closed_at" IS NOT NULL;
CREATE INDEX "elicitation_kept_idx" ON "elicitation"("closed_at", "id") WHERE "closed_at" IS NOT NULL AND "data_key" IS NOT NULL;
CREATE INDEX "elicitation_wake_at_idx" ON "elicitation"("wake_at") WHERE "wake_at" IS NOT NULL;

-- One for each vote ever cast: one that was withdrawn stays. The request's version keeps two from being cast at once.
CREATE TABLE "vote" (
    "id" TEXT NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- whom the voter stood in for
    "for_id" TEXT,
    "revision" INTEGER NOT NULL,
    "stage" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    -- what the voter saw
    "digest" TEXT NOT NULL,
    -- sealed
    "comment" BYTEA,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "vote_pkey" PRIMARY KEY ("elicitation_id", "id"),
    CONSTRAINT "vote_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "vote_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "vote_for_id_fkey" FOREIGN KEY ("for_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "vote_user_id_elicitation_id_idx" ON "vote"("user_id", "elicitation_id");
CREATE INDEX "vote_user_id_at_idx" ON "vote"("user_id", "at");

-- Counts the approvals of one person that a policy paces: two at once cannot both be the next.
CREATE TABLE "approver_turn" (
    "user_id" TEXT NOT NULL,
    "turn" BIGINT NOT NULL,
    CONSTRAINT "approver_turn_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "approver_turn_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- A question as it was before someone edited it.
CREATE TABLE "revision" (
    "elicitation_id" TEXT NOT NULL,
    -- the number of the revision that was replaced
    "revision" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    -- sealed: the question as it was
    "payload" BYTEA NOT NULL,
    -- who replaced it
    "user_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "revision_pkey" PRIMARY KEY ("elicitation_id", "revision"),
    CONSTRAINT "revision_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "revision_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- What people said next to their votes.
CREATE TABLE "remark" (
    "id" TEXT NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    -- null for the requester's reply
    "user_id" TEXT,
    -- the question a reply answers
    "reply_to" TEXT,
    -- sealed
    "body" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "remark_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "remark_kind_check" CHECK ("kind" IN ('comment', 'question', 'reply')),
    CONSTRAINT "remark_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "remark_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "remark_reply_to_fkey" FOREIGN KEY ("reply_to") REFERENCES "remark"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "remark_elicitation_id_at_idx" ON "remark"("elicitation_id", "at");
CREATE UNIQUE INDEX "remark_reply_to_key" ON "remark"("reply_to") WHERE "reply_to" IS NOT NULL;

-- Who watches over requests, and why they read one.
CREATE TABLE "look" (
    "elicitation_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- sealed
    "reason" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "look_pkey" PRIMARY KEY ("elicitation_id", "user_id", "at"),
    CONSTRAINT "look_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "look_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- A request that was decided past its policy, and the review that is due.
CREATE TABLE "break_glass" (
    "elicitation_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- sealed
    "reason" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "review_due_at" TIMESTAMPTZ(3) NOT NULL,
    "reviewer_id" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    -- sealed
    "finding" BYTEA,
    CONSTRAINT "break_glass_pkey" PRIMARY KEY ("elicitation_id"),
    CONSTRAINT "break_glass_reviewer_check" CHECK ("reviewer_id" <> "user_id"),
    CONSTRAINT "break_glass_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "break_glass_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "break_glass_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- What a policy allowed and drew for a later look, and what the person who looked found.
CREATE TABLE "look_back" (
    "elicitation_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "reviewer_id" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    -- sealed
    "finding" BYTEA,
    CONSTRAINT "look_back_pkey" PRIMARY KEY ("elicitation_id"),
    CONSTRAINT "look_back_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "look_back_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "look_back_at_idx" ON "look_back"("at");

-- A standing approval: what may run without asking again, until when, how often.
CREATE TABLE "app_grant" (
    "id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "tool_schema" TEXT,
    -- keyed hash of the requester's subject
    "requester_hash" BYTEA NOT NULL,
    -- sealed under the data key of the elicitation it came from: the requester and the constraint on arguments
    "terms" BYTEA NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    -- lapses at this time unless someone reviews it
    "review_at" TIMESTAMPTZ(3),
    "uses_left" INTEGER,
    "budget_left" NUMERIC,
    "suspended_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    CONSTRAINT "app_grant_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "app_grant_uses_check" CHECK ("uses_left" >= 0),
    CONSTRAINT "app_grant_budget_check" CHECK ("budget_left" >= 0),
    CONSTRAINT "app_grant_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "app_grant_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "app_grant_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "app_grant_lookup_idx" ON "app_grant"("server_id", "tool", "requester_hash") WHERE "revoked_at" IS NULL;

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

-- What speaks for one elicitation and never for another: a token that was made before it, once it is asked; or, for a day,
-- the idempotency key of an opening that joined it.
CREATE TABLE "token" (
    -- SHA-256 of the token's nonce, the token itself is nowhere; or the id that would have followed from the key
    "nonce_hash" BYTEA NOT NULL,
    "server_id" TEXT NOT NULL,
    "elicitation_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "token_pkey" PRIMARY KEY ("nonce_hash"),
    CONSTRAINT "token_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "token_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "token_expires_at_idx" ON "token"("expires_at");
CREATE INDEX "token_elicitation_id_idx" ON "token"("elicitation_id");

-- Who has opened a hosted page: how often a code was tried, and the one browser that proved to be the requester's.
CREATE TABLE "page_proof" (
    "elicitation_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    -- SHA-256 of the secret in that browser's cookie
    "session_hash" BYTEA,
    "user_id" TEXT,
    "proven_at" TIMESTAMPTZ(3),
    "consented_at" TIMESTAMPTZ(3),
    CONSTRAINT "page_proof_pkey" PRIMARY KEY ("elicitation_id"),
    CONSTRAINT "page_proof_attempts_check" CHECK ("attempts" BETWEEN 0 AND 5),
    CONSTRAINT "page_proof_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "page_proof_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- Open requests whose policy tells of them in chat. A row is made in the statement that opens or edits its request,
-- and goes when the last of its messages has been planned.
CREATE TABLE "chat_request" (
    "elicitation_id" TEXT NOT NULL,
    "planned" INTEGER NOT NULL DEFAULT -1,
    CONSTRAINT "chat_request_pkey" PRIMARY KEY ("elicitation_id"),
    CONSTRAINT "chat_request_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- One message each, to a channel or to a person. It is due where it shows less than it should.
CREATE TABLE "chat_message" (
    "elicitation_id" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "channel" TEXT,
    "ts" TEXT,
    "posted_at" TIMESTAMPTZ(3),
    "wanted" INTEGER NOT NULL,
    "shown" INTEGER NOT NULL DEFAULT -1,
    "shown_hash" BYTEA,
    -- the last reminder of its request that it was followed by, so that each is told once
    "reminded_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "chat_message_pkey" PRIMARY KEY ("elicitation_id", "target"),
    CONSTRAINT "chat_message_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "chat_message_due_at_idx" ON "chat_message"("due_at") WHERE "shown" < "wanted";
CREATE INDEX "chat_message_channel_ts_idx" ON "chat_message"("channel", "ts");

-- Clicks that were taken, so that the same delivery, sent again, does nothing.
CREATE TABLE "chat_delivery" (
    "hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "chat_delivery_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "chat_delivery_at_idx" ON "chat_delivery"("at");

-- What people are told of a request, each thing once. It is due while its state says so; a partial index finds it.
CREATE TABLE "notification" (
    "id" TEXT NOT NULL,
    -- null for what is about no request
    "elicitation_id" TEXT,
    "channel" TEXT NOT NULL,
    -- a person, a device or a webhook
    "target" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    -- what tells two of a kind apart: the stage, the time of the reminder, the version of a policy, the id of a key
    "occasion" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'due',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    -- the code of the last failure, never a text
    "fault" TEXT,
    CONSTRAINT "notification_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notification_state_check" CHECK ("state" IN ('due', 'sent', 'moot', 'failed')),
    CONSTRAINT "notification_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "notification_once_key" ON "notification"("elicitation_id", "channel", "target", "kind", "occasion");
CREATE UNIQUE INDEX "notification_news_once_key" ON "notification"("channel", "target", "kind", "occasion") WHERE "elicitation_id" IS NULL;
CREATE INDEX "notification_due_at_idx" ON "notification"("due_at") WHERE "state" = 'due';
CREATE INDEX "notification_created_at_id_idx" ON "notification"("created_at", "id");
CREATE INDEX "notification_settled_at_idx" ON "notification"("settled_at");

-- What a server behind the gateway is shown in the name of one person.
CREATE TABLE "upstream_credential" (
    "id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    -- who entered it: the person who has this issuer and subject
    "user_id" TEXT NOT NULL,
    -- keyed hash of server, issuer and subject
    "hash" BYTEA NOT NULL,
    -- the secret, sealed
    "sealed" BYTEA NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL,
    -- when the gateway first got it
    "used_at" TIMESTAMPTZ(3),
    -- when the server did not take it; from then on the gateway gets it no more
    "refused_at" TIMESTAMPTZ(3),
    CONSTRAINT "upstream_credential_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "upstream_credential_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "upstream_credential_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "upstream_credential_server_id_hash_idx" ON "upstream_credential"("server_id", "hash");
CREATE INDEX "upstream_credential_user_id_idx" ON "upstream_credential"("user_id");

-- A program outside that is told of requests.
CREATE TABLE "webhook" (
    "id" TEXT NOT NULL,
    -- sealed: its address, and the secret that signs what it is sent
    "sealed" BYTEA NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- A browser in which a person is told.
CREATE TABLE "push_device" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- SHA-256 of its address at its push service
    "hash" BYTEA NOT NULL,
    -- sealed: the address, and the keys that what it is sent is encrypted with
    "sealed" BYTEA NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "push_device_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "push_device_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "push_device_hash_key" ON "push_device"("hash");
CREATE INDEX "push_device_user_id_idx" ON "push_device"("user_id");

-- A list of requests that a person has given a name.
CREATE TABLE "saved_view" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- whether everyone here finds it
    "is_shared" BOOLEAN NOT NULL,
    -- sealed: its name and its filters
    "sealed" BYTEA NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "saved_view_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "saved_view_user_id_idx" ON "saved_view"("user_id");

-- The one pair of keys by which push services know this installation, sealed.
CREATE TABLE "push_key" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sealed" BYTEA NOT NULL,
    CONSTRAINT "push_key_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "push_key_one" CHECK ("id" = 1)
);

-- How a person wants to be told; without a row as by default.
CREATE TABLE "notification_setting" (
    "user_id" TEXT NOT NULL,
    "email" BOOLEAN NOT NULL,
    "language" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    -- minutes after midnight of the time zone; both null without quiet hours
    "quiet_from" INTEGER,
    "quiet_until" INTEGER,
    "digest" TEXT NOT NULL,
    -- may urgent requests come in quiet hours, and before a digest?
    "urgent" BOOLEAN NOT NULL,
    CONSTRAINT "notification_setting_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "notification_setting_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- How far the planner of notifications has read the outbox, and which node plans now.
CREATE TABLE "outbox_reader" (
    "name" TEXT NOT NULL,
    "place" BIGINT NOT NULL,
    "holder" TEXT,
    "held_until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "outbox_reader_pkey" PRIMARY KEY ("name")
);
INSERT INTO "outbox_reader" ("name", "place", "held_until") VALUES ('notifications', 0, 'epoch');

-- What changed, for anyone who must hear of it.
CREATE TABLE "outbox" (
    -- in the order of the commits, without a gap
    "place" BIGINT NOT NULL,
    "topic" TEXT NOT NULL,
    "elicitation_id" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("place")
);
-- The last place in the outbox. Its one row is locked from the taking of a place until the commit.
CREATE TABLE "outbox_head" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "place" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "outbox_head_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "outbox_head_one" CHECK ("id" = 1)
);
INSERT INTO "outbox_head" DEFAULT VALUES;

-- What an administrator has stopped: a tool, a server or, with neither, everything. Opening and claiming look here.
CREATE TABLE "stop" (
    "id" TEXT NOT NULL,
    "server_id" TEXT,
    "tool" TEXT,
    "reason" TEXT NOT NULL,
    -- null is the operator
    "stopped_by" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "lifted_by" TEXT,
    "lifted_at" TIMESTAMPTZ(3),
    CONSTRAINT "stop_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "stop_lifted_by_check" CHECK ("lifted_at" IS NULL OR "lifted_by" IS DISTINCT FROM "stopped_by"),
    CONSTRAINT "stop_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "stop_stopped_by_fkey" FOREIGN KEY ("stopped_by") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "stop_lifted_by_fkey" FOREIGN KEY ("lifted_by") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "stop_in_force_idx" ON "stop"("id") WHERE "lifted_at" IS NULL;

-- What servers say of their tools, as the gateway has reported it. Nothing is decided by it.
CREATE TABLE "server_tool" (
    "server_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "annotations" JSONB NOT NULL,
    "definition" TEXT NOT NULL,
    -- a definition that no one has accepted
    "changed" TEXT,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "server_tool_pkey" PRIMARY KEY ("server_id", "name"),
    CONSTRAINT "server_tool_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Why content is kept. What a legal hold covers, and whether it is in force, say the entries about it.
CREATE TABLE "hold" (
    "id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    CONSTRAINT "hold_pkey" PRIMARY KEY ("id")
);

-- One counter for each thing nodes keep in memory: a higher number means read it again.
CREATE TABLE "epoch" (
    "name" TEXT NOT NULL,
    "value" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "epoch_pkey" PRIMARY KEY ("name")
);
INSERT INTO "epoch" ("name") VALUES ('policies'), ('users'), ('stops'), ('keys'), ('sessions');

-- The secrets that this installation works with, each by its key id. The secrets themselves are nowhere.
CREATE TABLE "secret" (
    "kid" TEXT NOT NULL,
    -- derived one way: tells whether a node holds the secret that is meant
    "check_value" BYTEA NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- since when it may have sealed; the latest seals now
    "active_at" TIMESTAMPTZ(3),
    -- from then on it seals nothing, and no node needs it
    "retired_at" TIMESTAMPTZ(3),
    -- sealed: of a retired one the keys with which it proved and found things; none of them seals
    "retained" BYTEA,
    CONSTRAINT "secret_pkey" PRIMARY KEY ("kid"),
    CONSTRAINT "secret_retained_check" CHECK (("retired_at" IS NULL) = ("retained" IS NULL))
);

-- The nodes that serve, each with the secrets it knows and the one it seals with.
CREATE TABLE "node" (
    "id" TEXT NOT NULL,
    "kids" TEXT[] NOT NULL,
    "active_kid" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- sealed: up to where this node has verified the log
    "proof" BYTEA,
    CONSTRAINT "node_pkey" PRIMARY KEY ("id")
);

-- The log proves itself: entries get places in a Merkle tree, whose heads are signed.
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    -- of one row's entries, the highest is the one that says how the row was left: clocks of nodes differ
    "seq" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "elicitation_id" TEXT,
    -- the row next to the request whose state follows from this entry: a tool call, a standing approval, a policy
    "subject_id" TEXT,
    -- canonical JSON, the bytes that the leaf hash and the MAC cover
    "body" BYTEA NOT NULL,
    "leaf_hash" BYTEA NOT NULL,
    -- under the key ring: rights over the database alone make none
    "mac" BYTEA NOT NULL,
    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_entry_elicitation_id_seq_idx" ON "audit_entry"("elicitation_id", "seq");
CREATE INDEX "audit_entry_subject_id_seq_idx" ON "audit_entry"("subject_id", "seq") WHERE "subject_id" IS NOT NULL;
CREATE INDEX "audit_entry_policy_idx" ON "audit_entry"("subject_id", "seq") WHERE "type" LIKE 'policy.%';
CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry"("at", "id");

-- What has no place yet. A trigger fills it, so that no statement can forget to.
CREATE TABLE "audit_queue" (
    "seq" BIGINT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "leaf_hash" BYTEA NOT NULL,
    CONSTRAINT "audit_queue_pkey" PRIMARY KEY ("seq")
);

CREATE TABLE "audit_leaf" (
    "idx" BIGINT NOT NULL,
    "entry_id" TEXT NOT NULL,
    CONSTRAINT "audit_leaf_pkey" PRIMARY KEY ("idx")
);
CREATE UNIQUE INDEX "audit_leaf_entry_id_key" ON "audit_leaf"("entry_id");

-- C2SP tlog-tiles: up to 256 hashes of 32 bytes.
CREATE TABLE "audit_tile" (
    "level" INTEGER NOT NULL,
    "n" BIGINT NOT NULL,
    "hashes" BYTEA NOT NULL,
    CONSTRAINT "audit_tile_pkey" PRIMARY KEY ("level", "n"),
    CONSTRAINT "audit_tile_hashes_check" CHECK (length("hashes") BETWEEN 32 AND 8192 AND length("hashes") % 32 = 0)
);

CREATE TABLE "audit_checkpoint" (
    "size" BIGINT NOT NULL,
    "note" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "audit_checkpoint_pkey" PRIMARY KEY ("size")
);

-- What each witness said last of which head. The line proves itself by the key of the witness.
CREATE TABLE "audit_cosignature" (
    "witness" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "line" TEXT NOT NULL,
    CONSTRAINT "audit_cosignature_pkey" PRIMARY KEY ("witness")
);

-- How far the log was streamed to each receiver, and which node streams now. Without a holder, no one before `held_until`.
CREATE TABLE "audit_stream" (
    "name" TEXT NOT NULL,
    "place" BIGINT NOT NULL DEFAULT 0,
    "holder" TEXT,
    "held_until" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    -- the code of the last failure, never a text
    "fault" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    CONSTRAINT "audit_stream_pkey" PRIMARY KEY ("name")
);

-- What the log is called in what it signs: one name for as long as the installation lives.
CREATE TABLE "audit_origin" (
    "name" TEXT NOT NULL,
    CONSTRAINT "audit_origin_pkey" PRIMARY KEY ("name")
);
CREATE UNIQUE INDEX "audit_origin_one_key" ON "audit_origin"((true));
INSERT INTO "audit_origin" ("name") VALUES ('assentry/' || gen_random_uuid());

-- Where each entry stands in the log; null while it has no place yet.
CREATE VIEW "audit_log" WITH (security_barrier) AS
  SELECT e."id", e."at", e."type", e."elicitation_id", convert_from(e."body", 'UTF8')::jsonb AS "entry", e."leaf_hash", l."idx"
    FROM "audit_entry" e LEFT JOIN "audit_leaf" l ON l."entry_id" = e."id";
CREATE VIEW "audit_heads" WITH (security_barrier) AS SELECT "size", "note", "at" FROM "audit_checkpoint";

-- Tables that only grow: no role may change or remove a row.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END;
$$;
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['vote', 'revision', 'remark', 'look', 'hold', 'audit_entry', 'audit_leaf', 'audit_checkpoint', 'audit_origin'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
      kept || '_no_change', kept);
  END LOOP;
  FOREACH kept IN ARRAY ARRAY['vote', 'revision', 'remark', 'look', 'hold', 'audit_entry', 'audit_leaf', 'audit_checkpoint', 'audit_origin', 'audit_tile', 'audit_queue'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
      kept || '_no_truncate', kept);
  END LOOP;
END;
$$;

-- A tile only grows: what it holds stays, and a full one stays as it is.
CREATE FUNCTION refuse_other_tile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."level" <> OLD."level" OR NEW."n" <> OLD."n" OR substring(NEW."hashes" FROM 1 FOR length(OLD."hashes")) <> OLD."hashes" THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER audit_tile_only_grows BEFORE UPDATE ON "audit_tile" FOR EACH ROW EXECUTE FUNCTION refuse_other_tile();
CREATE TRIGGER audit_tile_no_delete BEFORE DELETE ON "audit_tile" FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Once for a row: not every PostgreSQL has tables of what a statement has added.
CREATE FUNCTION queue_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_queue" ("seq", "entry_id", "leaf_hash") VALUES (NEW."seq", NEW."id", NEW."leaf_hash");
  RETURN NULL;
END;
$$;
CREATE TRIGGER audit_entry_queue AFTER INSERT ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION queue_audit_entry();

-- What speaks for one elicitation never comes to speak for another.
CREATE FUNCTION refuse_rebinding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a token is bound once';
END;
$$;
CREATE TRIGGER token_bound_once BEFORE UPDATE ON "token" FOR EACH ROW
  WHEN (OLD."elicitation_id" IS NOT NULL AND NEW."elicitation_id" IS DISTINCT FROM OLD."elicitation_id")
  EXECUTE FUNCTION refuse_rebinding();

-- Only a draft's words may change; and who wrote a version and who reviewed it is never rewritten.
CREATE FUNCTION refuse_policy_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."state" <> 'draft' AND (NEW."document" <> OLD."document" OR NEW."digest" <> OLD."digest") THEN
    RAISE EXCEPTION 'a version that left its draft never changes';
  END IF;
  IF NEW."author_id" IS DISTINCT FROM OLD."author_id"
    OR (OLD."reviewer_id" IS NOT NULL AND NEW."reviewer_id" IS DISTINCT FROM OLD."reviewer_id")
    OR (OLD."state" IN ('approved', 'rejected') AND NEW."state" <> OLD."state") THEN
    RAISE EXCEPTION 'who wrote and who reviewed a version never changes';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER policy_version_no_change BEFORE UPDATE ON "policy_version"
  FOR EACH ROW EXECUTE FUNCTION refuse_policy_change();

-- A version decides only after a second person approved it, or where the operator applied it.
CREATE FUNCTION refuse_unreviewed_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."published_version" IS NOT NULL
    AND (TG_OP = 'INSERT' OR NEW."published_version" IS DISTINCT FROM OLD."published_version")
    AND NOT EXISTS (
      SELECT FROM "policy_version" v
       WHERE v."policy_id" = NEW."id" AND v."version" = NEW."published_version" AND v."state" = 'approved'
         AND (v."author_id" IS NULL OR v."reviewer_id" IS NOT NULL)) THEN
    RAISE EXCEPTION 'only a reviewed version is published';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER policy_only_reviewed BEFORE INSERT OR UPDATE ON "policy"
  FOR EACH ROW EXECUTE FUNCTION refuse_unreviewed_policy();

-- Every change of what nodes keep in memory moves its counter.
CREATE FUNCTION bump_epoch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE "epoch" SET "value" = "value" + 1 WHERE "name" = TG_ARGV[0];
  RETURN NULL;
END;
$$;
CREATE TRIGGER policy_epoch AFTER INSERT OR UPDATE OR DELETE ON "policy"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('policies');
CREATE TRIGGER app_user_epoch AFTER INSERT OR UPDATE OR DELETE ON "app_user"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
CREATE TRIGGER server_epoch AFTER INSERT OR UPDATE OR DELETE ON "server"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
CREATE TRIGGER app_group_epoch AFTER INSERT OR UPDATE OR DELETE ON "app_group"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
CREATE TRIGGER group_member_epoch AFTER INSERT OR UPDATE OR DELETE ON "group_member"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
CREATE TRIGGER stop_epoch AFTER INSERT OR UPDATE OR DELETE ON "stop"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('stops');
CREATE TRIGGER delegation_epoch AFTER INSERT OR UPDATE OR DELETE ON "delegation"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
-- When a key was last used changes nothing.
CREATE TRIGGER api_key_epoch AFTER DELETE OR UPDATE OF "server_id", "hash", "maker_id", "tools", "expires_at", "revoked_at" ON "api_key"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('keys');
-- A session that begins, or is used, is no other than before.
CREATE TRIGGER session_epoch AFTER DELETE OR UPDATE OF "hash", "user_id", "expires_at" ON "session"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('sessions');

-- What reviewers read with SQL: facts of the log and its rows, and no content. docs/audit-sql.md shows how.
CREATE SCHEMA "audit";
COMMENT ON SCHEMA "audit" IS 'What reviewers read: facts of the log, and no content. People stand in it by their id; audit.people has their names.';

-- Immutable, so that an index may use it: the same bytes always give the same entry.
CREATE FUNCTION audit.entry(body bytea) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT pg_catalog.convert_from(body, 'UTF8')::pg_catalog.jsonb $$;
COMMENT ON FUNCTION audit.entry IS 'The entry of the log that these bytes are.';

CREATE INDEX "audit_entry_read_idx" ON "audit_entry"((audit.entry("body") #>> '{about,0}'))
  WHERE "type" IN ('access.read', 'access.exported', 'access.refused');
CREATE INDEX "audit_entry_hold_idx" ON "audit_entry"("seq") WHERE "type" LIKE 'hold.%';
CREATE INDEX "audit_entry_erased_idx" ON "audit_entry"("at") WHERE "type" = 'content.erased';
CREATE INDEX "audit_entry_access_idx" ON "audit_entry"("at") WHERE "type" LIKE 'access.%';
CREATE INDEX "audit_entry_user_idx" ON "audit_entry"("at") WHERE "type" LIKE 'user.%';
CREATE INDEX "audit_entry_person_idx" ON "audit_entry"((audit.entry("body") #>> '{actor,id}'), "at", "id")
  WHERE audit.entry("body") #>> '{actor,kind}' = 'user';
CREATE INDEX "audit_entry_digest_idx" ON "audit_entry"((audit.entry("body") ->> 'digest'))
  WHERE "type" IN ('elicitation.opened', 'elicitation.edited');
CREATE INDEX "audit_entry_latest_idx" ON "audit_entry"("type", "seq") WHERE "type" IN ('log.verified', 'node.configured');
CREATE INDEX "audit_entry_told_idx" ON "audit_entry"("at") WHERE "type" LIKE 'notification.%';
CREATE INDEX "audit_entry_group_idx" ON "audit_entry"("at") WHERE "type" LIKE 'group.%';

CREATE VIEW audit.people AS
  SELECT "id" AS person, "name", "email", "role", "manager_id" AS manager, "created_at", "disabled_at" FROM "app_user";
COMMENT ON VIEW audit.people IS 'Everyone who can sign in, or once could.';
COMMENT ON COLUMN audit.people.person IS 'The id that stands for them in every other view.';
COMMENT ON COLUMN audit.people.name IS 'Their name today.';
COMMENT ON COLUMN audit.people.email IS 'The address with which they sign in today.';
COMMENT ON COLUMN audit.people.role IS 'admin, approver or reviewer, as of today; audit.roles has the earlier ones.';
COMMENT ON COLUMN audit.people.manager IS 'Their manager today.';
COMMENT ON COLUMN audit.people.created_at IS 'When they were added.';
COMMENT ON COLUMN audit.people.disabled_at IS 'Since when they cannot sign in; null if they can.';

CREATE VIEW audit.decisions AS
  SELECT e."id" AS request, e."tool_call_id" AS call, s."name" AS server, e."tool", e."risk", e."audience",
         split_part(e."policy", '@', 1) AS policy, substring(e."policy" FROM '@(\d+)$')::int AS policy_version,
         told.opened ->> 'requester' AS requester,
         ARRAY(SELECT jsonb_array_elements_text(told.opened -> 'requesters')) AS requesters,
         e."status" AS outcome, e."cause", told.closed #>> '{actor,kind}' AS decided_by, told.closed #>> '{actor,id}' AS person,
         told.closed #>> '{actor,grant}' AS grant_id, e."opened_at" AS asked_at, seen."at" AS seen_at, e."closed_at" AS decided_at,
         e."closed_at" - e."opened_at" AS waited, e."closed_at" - seen."at" AS considered,
         told.is_edited AS edited, told.is_override AS override, e."revision", e."digest"
    FROM "elicitation" e JOIN "server" s ON s."id" = e."server_id"
    CROSS JOIN LATERAL (
      SELECT (array_agg(f) FILTER (WHERE a."type" = 'elicitation.opened'))[1] AS opened,
             (array_agg(f ORDER BY a."seq" DESC) FILTER (WHERE f ->> 'from' = 'open' AND f ->> 'to' <> 'open'))[1] AS closed,
             coalesce(bool_or(a."type" = 'elicitation.edited'), false) AS is_edited,
             coalesce(bool_or(a."type" = 'elicitation.break-glass'), false) AS is_override
        FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
       WHERE a."elicitation_id" = e."id" AND a."type" LIKE 'elicitation.%') told
    LEFT JOIN LATERAL (
      SELECT min(r."at") AS at FROM "audit_entry" r
       WHERE r."type" = 'access.read' AND audit.entry(r."body") #>> '{about,0}' = e."id"
         AND audit.entry(r."body") #>> '{actor,id}' = told.closed #>> '{actor,id}' AND r."at" <= e."closed_at") seen ON true;
COMMENT ON VIEW audit.decisions IS 'One row for each request, also for those that are still open.';
COMMENT ON COLUMN audit.decisions.request IS 'The id of the request.';
COMMENT ON COLUMN audit.decisions.call IS 'The id of the tool call that waited for it.';
COMMENT ON COLUMN audit.decisions.server IS 'The name of the MCP server that asked.';
COMMENT ON COLUMN audit.decisions.tool IS 'The name of the tool that was about to run.';
COMMENT ON COLUMN audit.decisions.risk IS 'low, medium or high.';
COMMENT ON COLUMN audit.decisions.audience IS 'Who had to answer: approvers, or the requester.';
COMMENT ON COLUMN audit.decisions.policy IS 'The policy that decided who had to answer.';
COMMENT ON COLUMN audit.decisions.policy_version IS 'The version of that policy.';
COMMENT ON COLUMN audit.decisions.requester IS 'Stands for the requester: the same for the same one at the same server, and nothing to anyone without the secrets.';
COMMENT ON COLUMN audit.decisions.requesters IS 'The people who were, or might have been, the requester when it was asked.';
COMMENT ON COLUMN audit.decisions.outcome IS 'open, accepted, declined, cancelled or expired.';
COMMENT ON COLUMN audit.decisions.cause IS 'Why it was cancelled, if it was.';
COMMENT ON COLUMN audit.decisions.decided_by IS 'What ended it: user (a person), policy, requester, service, timer, server, directory or operator.';
COMMENT ON COLUMN audit.decisions.person IS 'The person who ended it; of several approvers, the one with the last vote.';
COMMENT ON COLUMN audit.decisions.grant_id IS 'The standing approval that accepted it in place of a person.';
COMMENT ON COLUMN audit.decisions.asked_at IS 'When it was asked.';
COMMENT ON COLUMN audit.decisions.seen_at IS 'When the person who ended it first opened its page; null if they had not, as with a vote in chat.';
COMMENT ON COLUMN audit.decisions.decided_at IS 'When it ended; null while it is open.';
COMMENT ON COLUMN audit.decisions.waited IS 'From asked_at to decided_at.';
COMMENT ON COLUMN audit.decisions.considered IS 'From seen_at to decided_at.';
COMMENT ON COLUMN audit.decisions.edited IS 'Whether someone changed what was asked for.';
COMMENT ON COLUMN audit.decisions.override IS 'Whether it was approved past its policy; audit.overrides has the review.';
COMMENT ON COLUMN audit.decisions.revision IS 'Counts what was asked for: 1, and one more for each edit.';
COMMENT ON COLUMN audit.decisions.digest IS 'The digest that binds the decision to what was asked for.';

CREATE VIEW audit.votes AS
  SELECT v."id" AS vote, v."elicitation_id" AS request, s."name" AS server, e."tool",
         split_part(e."policy", '@', 1) AS policy, v."user_id" AS person, v."for_id" AS stands_in_for,
         v."revision", v."stage" + 1 AS stage, v."action" AS choice, e."opened_at" AS asked_at, seen."at" AS seen_at,
         v."at" AS voted_at, v."at" - seen."at" AS considered, told.ended_at AS void_at,
         coalesce(told.opened -> 'requesters' ?| ARRAY[v."user_id", v."for_id"], false) AS by_requester,
         told.voted ->> 'factor' AS factor, coalesce(told.voted ->> 'channel', 'console') AS channel
    FROM "vote" v JOIN "elicitation" e ON e."id" = v."elicitation_id" JOIN "server" s ON s."id" = e."server_id"
    CROSS JOIN LATERAL (
      SELECT (array_agg(f) FILTER (WHERE a."type" = 'elicitation.opened'))[1] AS opened,
             (array_agg(f) FILTER (WHERE f ->> 'vote' = v."id"))[1] AS voted,
             min(a."at") FILTER (WHERE a."at" >= v."at" AND CASE a."type"
               WHEN 'elicitation.vote-withdrawn' THEN f #>> '{actor,id}' = v."user_id" AND (f ->> 'stage')::int = v."stage"
               WHEN 'elicitation.votes-voided' THEN f ->> 'user' IN (v."user_id", v."for_id") END) AS ended_at
        FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
       WHERE a."elicitation_id" = v."elicitation_id" AND a."type" LIKE 'elicitation.%') told
    LEFT JOIN LATERAL (
      SELECT min(r."at") AS at FROM "audit_entry" r
       WHERE r."type" = 'access.read' AND audit.entry(r."body") #>> '{about,0}' = v."elicitation_id"
         AND audit.entry(r."body") #>> '{actor,id}' = v."user_id" AND r."at" <= v."at") seen ON true;
COMMENT ON VIEW audit.votes IS 'One row for each vote that was ever cast.';
COMMENT ON COLUMN audit.votes.vote IS 'The id of the vote.';
COMMENT ON COLUMN audit.votes.request IS 'The request it was cast on.';
COMMENT ON COLUMN audit.votes.server IS 'The name of the MCP server that asked.';
COMMENT ON COLUMN audit.votes.tool IS 'The name of the tool that was about to run.';
COMMENT ON COLUMN audit.votes.policy IS 'The policy of the request.';
COMMENT ON COLUMN audit.votes.person IS 'Who voted.';
COMMENT ON COLUMN audit.votes.stands_in_for IS 'For whom they voted, if for someone else.';
COMMENT ON COLUMN audit.votes.revision IS 'Which revision of the request they saw.';
COMMENT ON COLUMN audit.votes.stage IS 'The stage of the policy, counted from 1.';
COMMENT ON COLUMN audit.votes.choice IS 'accept or decline.';
COMMENT ON COLUMN audit.votes.asked_at IS 'When the request was asked.';
COMMENT ON COLUMN audit.votes.seen_at IS 'When the voter first opened its page; null if they did not, as with a vote in chat.';
COMMENT ON COLUMN audit.votes.voted_at IS 'When they voted.';
COMMENT ON COLUMN audit.votes.considered IS 'From seen_at to voted_at.';
COMMENT ON COLUMN audit.votes.void_at IS 'When the vote was withdrawn or became void; null if it stands.';
COMMENT ON COLUMN audit.votes.by_requester IS 'Whether the voter, or the person they stood in for, was known as the requester when it was asked. Must be false.';
COMMENT ON COLUMN audit.votes.factor IS 'How the voter had signed in.';
COMMENT ON COLUMN audit.votes.channel IS 'console or chat.';

CREATE VIEW audit.overrides AS
  SELECT b."elicitation_id" AS request, s."name" AS server, e."tool", split_part(e."policy", '@', 1) AS policy,
         b."user_id" AS person, b."at" AS approved_at, b."review_due_at", b."reviewer_id" AS reviewer, b."reviewed_at",
         (SELECT (audit.entry(a."body") ->> 'isJustified')::boolean FROM "audit_entry" a
           WHERE a."elicitation_id" = b."elicitation_id" AND a."type" = 'break-glass.reviewed') AS justified
    FROM "break_glass" b JOIN "elicitation" e ON e."id" = b."elicitation_id" JOIN "server" s ON s."id" = e."server_id";
COMMENT ON VIEW audit.overrides IS 'One row for each approval past its policy.';
COMMENT ON COLUMN audit.overrides.request IS 'The request that was approved.';
COMMENT ON COLUMN audit.overrides.server IS 'The name of the MCP server that asked.';
COMMENT ON COLUMN audit.overrides.tool IS 'The name of the tool that was about to run.';
COMMENT ON COLUMN audit.overrides.policy IS 'The policy that was passed over.';
COMMENT ON COLUMN audit.overrides.person IS 'Who approved it.';
COMMENT ON COLUMN audit.overrides.approved_at IS 'When they approved it.';
COMMENT ON COLUMN audit.overrides.review_due_at IS 'Until when someone else has to review it.';
COMMENT ON COLUMN audit.overrides.reviewer IS 'Who reviewed it; null if no one has.';
COMMENT ON COLUMN audit.overrides.reviewed_at IS 'When they reviewed it.';
COMMENT ON COLUMN audit.overrides.justified IS 'What the reviewer found.';

CREATE VIEW audit.grants AS
  SELECT g."id" AS grant_id, g."elicitation_id" AS request, s."name" AS server, g."tool", split_part(g."policy", '@', 1) AS policy,
         encode(g."requester_hash", 'hex') AS requester, g."user_id" AS person, g."created_at", g."expires_at",
         g."suspended_at", g."revoked_at", g."revoked_by"
    FROM "app_grant" g JOIN "server" s ON s."id" = g."server_id";
COMMENT ON VIEW audit.grants IS 'One row for each standing approval: the same may run again without asking.';
COMMENT ON COLUMN audit.grants.grant_id IS 'The id of the standing approval.';
COMMENT ON COLUMN audit.grants.request IS 'The request with whose approval it was given.';
COMMENT ON COLUMN audit.grants.server IS 'The name of the MCP server it is for.';
COMMENT ON COLUMN audit.grants.tool IS 'The name of the tool it is for.';
COMMENT ON COLUMN audit.grants.policy IS 'The policy that allowed it.';
COMMENT ON COLUMN audit.grants.requester IS 'Stands for the requester it is for, as in audit.decisions.';
COMMENT ON COLUMN audit.grants.person IS 'Who gave it; of several approvers, the one with the last vote.';
COMMENT ON COLUMN audit.grants.created_at IS 'When it was given.';
COMMENT ON COLUMN audit.grants.expires_at IS 'When it ends.';
COMMENT ON COLUMN audit.grants.suspended_at IS 'When it was suspended, if it was.';
COMMENT ON COLUMN audit.grants.revoked_at IS 'When it was revoked, if it was.';
COMMENT ON COLUMN audit.grants.revoked_by IS 'Who revoked it.';

CREATE VIEW audit.policy_changes AS
  SELECT a."id" AS entry, a."at", substring(a."type" FROM 8) AS change, named.policy, named.version,
         f #>> '{actor,kind}' AS changed_by, f #>> '{actor,id}' AS person, v."author_id" AS author, v."reviewer_id" AS reviewer,
         f ->> 'digest' AS digest,
         ARRAY(SELECT l.line FROM unnest(after.lines) WITH ORDINALITY AS l(line, nr)
                WHERE l.line <> ALL (before.lines) ORDER BY l.nr) AS lines_added,
         ARRAY(SELECT l.line FROM unnest(before.lines) WITH ORDINALITY AS l(line, nr)
                WHERE l.line <> ALL (after.lines) ORDER BY l.nr) AS lines_removed
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
    CROSS JOIN LATERAL (
      SELECT split_part(f ->> 'policy', '@', 1) AS policy,
             coalesce(substring(f ->> 'policy' FROM '@(\d+)$'), f ->> 'version')::int AS version) named
    LEFT JOIN "policy" p ON p."name" = named.policy
    LEFT JOIN "policy_version" v ON v."policy_id" = p."id" AND v."version" = named.version
    CROSS JOIN LATERAL (SELECT string_to_array(coalesce(v."document", ''), E'\n') AS lines) after
    CROSS JOIN LATERAL (
      SELECT string_to_array(coalesce((SELECT o."document" FROM "policy_version" o
        WHERE o."policy_id" = p."id" AND o."version" < v."version" AND o."published_at" IS NOT NULL
        ORDER BY o."version" DESC LIMIT 1), ''), E'\n') AS lines) before
   WHERE a."type" LIKE 'policy.%';
COMMENT ON VIEW audit.policy_changes IS 'One row for each step of a policy: written, submitted, approved, rejected, published, put into shadow mode.';
COMMENT ON COLUMN audit.policy_changes.entry IS 'The entry of the log.';
COMMENT ON COLUMN audit.policy_changes.at IS 'When it happened.';
COMMENT ON COLUMN audit.policy_changes.change IS 'drafted, submitted, approved, rejected, published or shadowed.';
COMMENT ON COLUMN audit.policy_changes.policy IS 'The name of the policy.';
COMMENT ON COLUMN audit.policy_changes.version IS 'The version; null if a version left shadow mode.';
COMMENT ON COLUMN audit.policy_changes.changed_by IS 'user (a person), or operator (at the command line).';
COMMENT ON COLUMN audit.policy_changes.person IS 'Who did it.';
COMMENT ON COLUMN audit.policy_changes.author IS 'Who wrote the version; null for the operator.';
COMMENT ON COLUMN audit.policy_changes.reviewer IS 'Who approved or rejected the version; never its author.';
COMMENT ON COLUMN audit.policy_changes.digest IS 'The digest of the version''s document.';
COMMENT ON COLUMN audit.policy_changes.lines_added IS 'Lines that the version published before does not have.';
COMMENT ON COLUMN audit.policy_changes.lines_removed IS 'Lines of the version published before that this one does not have.';

CREATE VIEW audit.access AS
  SELECT a."id" AS entry, a."at", substring(a."type" FROM 8) AS access, f #>> '{actor,kind}' AS accessed_by,
         f #>> '{actor,id}' AS person, f ->> 'what' AS what,
         coalesce(a."elicitation_id", substring(f #>> '{about,0}' FROM '^eli_.*')) AS request,
         coalesce((f ->> 'count')::int, 1) AS times
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f WHERE a."type" LIKE 'access.%';
COMMENT ON VIEW audit.access IS 'One row for each entry about who saw content, took some of it away, or was refused. Reading the same again within an hour makes no further entry.';
COMMENT ON COLUMN audit.access.entry IS 'The entry of the log.';
COMMENT ON COLUMN audit.access.at IS 'When it happened.';
COMMENT ON COLUMN audit.access.access IS 'read, looked (with a reason), listed, exported, refused or sign-in-failed.';
COMMENT ON COLUMN audit.access.accessed_by IS 'user (a person), server, operator, or stranger (someone who showed nothing that holds).';
COMMENT ON COLUMN audit.access.person IS 'The person, or the server.';
COMMENT ON COLUMN audit.access.what IS 'What was given out, or the code of the refusal.';
COMMENT ON COLUMN audit.access.request IS 'The request it was about.';
COMMENT ON COLUMN audit.access.times IS 'How often; only refusals are counted.';

CREATE VIEW audit.roles AS
  WITH told AS (
    SELECT f ->> 'user' AS person, a."at", a."seq", coalesce(f ->> 'role', f #>> '{changed,role}') AS role,
           CASE a."type" WHEN 'user.added' THEN false ELSE (f #>> '{changed,disabled}')::boolean END AS is_disabled
      FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
     WHERE a."type" LIKE 'user.%' AND (a."type" = 'user.added' OR f -> 'changed' ?| ARRAY['role', 'disabled'])
  ), spans AS (
    SELECT person, at, lead(at) OVER later AS until, array_agg(role) FILTER (WHERE role IS NOT NULL) OVER later AS roles,
           array_agg(is_disabled) FILTER (WHERE is_disabled IS NOT NULL) OVER later AS states
      FROM told WINDOW later AS (PARTITION BY person ORDER BY seq)
  )
  SELECT person, roles[cardinality(roles)] AS role, NOT states[cardinality(states)] AS enabled, at AS since, until FROM spans;
COMMENT ON VIEW audit.roles IS 'Which role each person had, and when.';
COMMENT ON COLUMN audit.roles.person IS 'The person.';
COMMENT ON COLUMN audit.roles.role IS 'admin, approver or reviewer; a reviewer never votes.';
COMMENT ON COLUMN audit.roles.enabled IS 'Whether they could sign in.';
COMMENT ON COLUMN audit.roles.since IS 'From when.';
COMMENT ON COLUMN audit.roles.until IS 'Until when; null if it still holds.';

CREATE VIEW audit.memberships AS
  WITH told AS (
    SELECT a."at", a."seq", a."type", f FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
     WHERE a."type" LIKE 'group.%'
    UNION ALL
    SELECT a."at", a."seq", a."type", f FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
     WHERE a."type" LIKE 'user.%' AND a."type" = 'user.added'
  ), moves AS (
    SELECT at, seq, f ->> 'group' AS group_id, jsonb_array_elements_text(f -> 'added') AS person, true AS is_in
      FROM told WHERE type = 'group.members-changed'
    UNION ALL
    SELECT at, seq, f ->> 'group', jsonb_array_elements_text(f -> 'removed'), false FROM told WHERE type = 'group.members-changed'
    UNION ALL
    SELECT at, seq, jsonb_array_elements_text(f -> 'groups'), f ->> 'user', true FROM told WHERE type = 'user.added'
  ), spans AS (
    SELECT m.group_id, m.person, m.is_in, m.at AS since,
           least(lead(m.at) OVER (PARTITION BY m.group_id, m.person ORDER BY m.seq), d.at) AS until
      FROM moves m LEFT JOIN told d ON d.type = 'group.deleted' AND d.f ->> 'group' = m.group_id
  )
  SELECT s.group_id, g."name" AS group_name, s.person, s.since, s.until
    FROM spans s LEFT JOIN "app_group" g ON g."id" = s.group_id WHERE s.is_in;
COMMENT ON VIEW audit.memberships IS 'Who was in which group, and when.';
COMMENT ON COLUMN audit.memberships.group_id IS 'The id of the group.';
COMMENT ON COLUMN audit.memberships.group_name IS 'Its name today; null if it was deleted.';
COMMENT ON COLUMN audit.memberships.person IS 'The member.';
COMMENT ON COLUMN audit.memberships.since IS 'When they became a member.';
COMMENT ON COLUMN audit.memberships.until IS 'Until when; null if they still are one.';

CREATE VIEW audit.seats AS
  SELECT e."id" AS request, s.nr::int AS stage, s.stage ->> 'name' AS stage_name, seat.group_name, seat.person, seat.seated_as
    FROM "elicitation" e
    CROSS JOIN LATERAL jsonb_array_elements(e."snapshot" #> '{context,stages}') WITH ORDINALITY AS s(stage, nr)
    CROSS JOIN LATERAL (
      SELECT g.part ->> 'name' AS group_name, named.person, 'named' AS seated_as
        FROM jsonb_array_elements(s.stage -> 'groups') AS g(part), jsonb_array_elements_text(
          CASE jsonb_typeof(g.part -> 'approvers') WHEN 'array' THEN g.part -> 'approvers' ELSE '[]' END) AS named(person)
      UNION ALL
      SELECT g.part ->> 'name', r.person, 'anyone' FROM jsonb_array_elements(s.stage -> 'groups') AS g(part) JOIN audit.roles r
          ON r.enabled AND r.role <> 'reviewer' AND r.since <= e."opened_at" AND (r.until IS NULL OR e."opened_at" < r.until)
       WHERE g.part ->> 'approvers' = 'anyone'
      UNION ALL
      SELECT NULL, asked.person, 'escalation' FROM jsonb_array_elements(coalesce(s.stage #> '{escalation,steps}', '[]')) AS wave(part),
          jsonb_array_elements_text(wave.part -> 'approvers') AS asked(person) WHERE (wave.part ->> 'taken')::boolean
    ) seat
   WHERE NOT s.stage -> 'excluded' ? seat.person;
COMMENT ON VIEW audit.seats IS 'Who could vote on each request: the stages of its latest revision, without those whom the policy excludes.';
COMMENT ON COLUMN audit.seats.request IS 'The request.';
COMMENT ON COLUMN audit.seats.stage IS 'The stage of the policy, counted from 1.';
COMMENT ON COLUMN audit.seats.stage_name IS 'What the policy calls it.';
COMMENT ON COLUMN audit.seats.group_name IS 'The group of the stage; null for an escalation.';
COMMENT ON COLUMN audit.seats.person IS 'Who could vote.';
COMMENT ON COLUMN audit.seats.seated_as IS 'Why: named by the policy, anyone who could vote when it was asked, or asked by an escalation.';

CREATE VIEW audit.deputies AS
  SELECT "id" AS delegation, "from_id" AS person, "to_id" AS deputy, "starts_at", coalesce("revoked_at", "ends_at") AS ended_at, "policies"
    FROM "delegation";
COMMENT ON VIEW audit.deputies IS 'Who could vote in place of whom, and when.';
COMMENT ON COLUMN audit.deputies.delegation IS 'The id of the delegation.';
COMMENT ON COLUMN audit.deputies.person IS 'Who was away.';
COMMENT ON COLUMN audit.deputies.deputy IS 'Who could vote in their place.';
COMMENT ON COLUMN audit.deputies.starts_at IS 'From when.';
COMMENT ON COLUMN audit.deputies.ended_at IS 'Until when.';
COMMENT ON COLUMN audit.deputies.policies IS 'Only for requests under these policies; empty for all.';

CREATE VIEW audit.erasures AS
  SELECT a."id" AS entry, a."elicitation_id" AS request, s."name" AS server, e."tool", split_part(e."policy", '@', 1) AS policy,
         a."at" AS erased_at, f ->> 'ground' AS ground, f #>> '{actor,kind}' AS erased_by,
         CASE f #>> '{actor,kind}' WHEN 'user' THEN f #>> '{actor,id}' END AS person,
         ARRAY(SELECT jsonb_array_elements_text(f #> '{actor,agreed,with}')) AS agreed
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
    JOIN "elicitation" e ON e."id" = a."elicitation_id" JOIN "server" s ON s."id" = e."server_id"
   WHERE a."type" = 'content.erased';
COMMENT ON VIEW audit.erasures IS 'One row for each request whose content was erased; its key was destroyed.';
COMMENT ON COLUMN audit.erasures.entry IS 'The entry of the log.';
COMMENT ON COLUMN audit.erasures.request IS 'The request.';
COMMENT ON COLUMN audit.erasures.server IS 'The name of the MCP server that asked.';
COMMENT ON COLUMN audit.erasures.tool IS 'The name of the tool that was about to run.';
COMMENT ON COLUMN audit.erasures.policy IS 'The policy of the request.';
COMMENT ON COLUMN audit.erasures.erased_at IS 'When its content was erased.';
COMMENT ON COLUMN audit.erasures.ground IS 'asked (by the requester), mistake, law, or policy (the time for which it is kept was over).';
COMMENT ON COLUMN audit.erasures.erased_by IS 'user (a person), operator (at the command line), or policy.';
COMMENT ON COLUMN audit.erasures.person IS 'Who asked for it.';
COMMENT ON COLUMN audit.erasures.agreed IS 'Those who agreed.';

CREATE VIEW audit.holds AS
  SELECT f ->> 'hold' AS hold, f ->> 'scope' AS scope, f ->> 'request' AS request, s."name" AS server, h."reason" AS matter,
         a."at" AS placed_at, f #>> '{actor,kind}' AS placed_by, f #>> '{actor,id}' AS person,
         ARRAY(SELECT jsonb_array_elements_text(f #> '{actor,agreed,with}')) AS agreed,
         o."at" AS released_at, release #>> '{actor,kind}' AS released_by, release #>> '{actor,id}' AS releaser,
         ARRAY(SELECT jsonb_array_elements_text(release #> '{actor,agreed,with}')) AS release_agreed
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
    LEFT JOIN "hold" h ON h."id" = f ->> 'hold' LEFT JOIN "server" s ON s."id" = f ->> 'server'
    LEFT JOIN "audit_entry" o ON o."type" = 'hold.released' AND o."type" LIKE 'hold.%' AND o."subject_id" = f ->> 'hold'
    LEFT JOIN LATERAL audit.entry(o."body") AS release ON true
   WHERE a."type" = 'hold.placed' AND a."type" LIKE 'hold.%';
COMMENT ON VIEW audit.holds IS 'One row for each legal hold, also for those that were released.';
COMMENT ON COLUMN audit.holds.hold IS 'The id of the hold.';
COMMENT ON COLUMN audit.holds.scope IS 'request, requester (everything that the requester of this request asked), server, or everything.';
COMMENT ON COLUMN audit.holds.request IS 'The request, or one by the requester.';
COMMENT ON COLUMN audit.holds.server IS 'The name of the server whose content is held.';
COMMENT ON COLUMN audit.holds.matter IS 'Why, as its author wrote it: stored readable, and never erased.';
COMMENT ON COLUMN audit.holds.placed_at IS 'From when nothing in its scope is erased.';
COMMENT ON COLUMN audit.holds.placed_by IS 'user (a person), or operator (at the command line).';
COMMENT ON COLUMN audit.holds.person IS 'Who asked for it.';
COMMENT ON COLUMN audit.holds.agreed IS 'Those who agreed.';
COMMENT ON COLUMN audit.holds.released_at IS 'When it was released; null if it is in force.';
COMMENT ON COLUMN audit.holds.released_by IS 'user (a person), or operator (at the command line).';
COMMENT ON COLUMN audit.holds.releaser IS 'Who asked for its release.';
COMMENT ON COLUMN audit.holds.release_agreed IS 'Those who agreed to its release.';

CREATE VIEW audit.verifications AS
  SELECT a."id" AS entry, a."at", f #>> '{actor,kind}' AS verified_by, (f ->> 'size')::bigint AS entries, (f ->> 'isWhole')::boolean AS whole
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
   WHERE a."type" = 'log.verified' AND a."type" IN ('log.verified', 'node.configured');
COMMENT ON VIEW audit.verifications IS 'One row for each run of assentry audit verify, and for the nodes'' own verification each time its result changed, or once a day.';
COMMENT ON COLUMN audit.verifications.entry IS 'The entry of the log.';
COMMENT ON COLUMN audit.verifications.at IS 'When it was verified.';
COMMENT ON COLUMN audit.verifications.verified_by IS 'operator (at the command line), or timer (a node).';
COMMENT ON COLUMN audit.verifications.entries IS 'So many entries were verified, from the first.';
COMMENT ON COLUMN audit.verifications.whole IS 'Whether they, and what follows from them, were as they were written.';

CREATE VIEW audit.configurations AS
  SELECT a."id" AS entry, a."at", f ->> 'version' AS version, f -> 'settings' AS settings
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
   WHERE a."type" = 'node.configured' AND a."type" IN ('log.verified', 'node.configured');
COMMENT ON VIEW audit.configurations IS 'One row for each time a node started under other settings than the node that started before.';
COMMENT ON COLUMN audit.configurations.entry IS 'The entry of the log.';
COMMENT ON COLUMN audit.configurations.at IS 'When it started.';
COMMENT ON COLUMN audit.configurations.version IS 'The version of Assentry.';
COMMENT ON COLUMN audit.configurations.settings IS 'Settings that change who may decide, who is told and what is kept; secrets by their key ids.';

CREATE VIEW audit.deliveries AS
  SELECT a."id" AS entry, a."at", a."elicitation_id" AS request, f ->> 'serverName' AS server, f ->> 'tool' AS tool,
         split_part(f ->> 'policy', '@', 1) AS policy, f ->> 'channel' AS channel, f ->> 'kind' AS kind,
         f ->> 'user' AS person, f ->> 'target' AS target, a."type" = 'notification.sent' AS arrived,
         (f ->> 'failures')::int AS failures, f ->> 'fault' AS fault
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f WHERE a."type" LIKE 'notification.%';
COMMENT ON VIEW audit.deliveries IS 'One row for each notification that ended: someone was told of a request, or could not be. It follows from the log.';
COMMENT ON COLUMN audit.deliveries.entry IS 'The entry of the log.';
COMMENT ON COLUMN audit.deliveries.at IS 'When it ended.';
COMMENT ON COLUMN audit.deliveries.request IS 'The request it tells of; null for a test.';
COMMENT ON COLUMN audit.deliveries.server IS 'The name of the MCP server that asked.';
COMMENT ON COLUMN audit.deliveries.tool IS 'The name of the tool that was about to run.';
COMMENT ON COLUMN audit.deliveries.policy IS 'The policy of the request.';
COMMENT ON COLUMN audit.deliveries.channel IS 'email, push (a browser), webhook or slack.';
COMMENT ON COLUMN audit.deliveries.kind IS 'turn (they can vote), reminder, outcome (of their own request), link (to set a password), or test.';
COMMENT ON COLUMN audit.deliveries.person IS 'Who reads it; null for a webhook and a channel in chat.';
COMMENT ON COLUMN audit.deliveries.target IS 'The person, the browser, the webhook, or the channel or member in chat.';
COMMENT ON COLUMN audit.deliveries.arrived IS 'Whether the other side took it; otherwise it was given up.';
COMMENT ON COLUMN audit.deliveries.failures IS 'How often it failed.';
COMMENT ON COLUMN audit.deliveries.fault IS 'The code of the last failure; null if there was none.';

CREATE VIEW audit.notifications AS
  SELECT n."id" AS notification, n."elicitation_id" AS request, s."name" AS server, e."tool", n."channel",
         CASE n."channel" WHEN 'email' THEN n."target" END AS person, CASE n."channel" WHEN 'webhook' THEN n."target" END AS webhook,
         n."kind", n."state", n."created_at" AS planned_at, n."settled_at", n."failures", n."fault"
    FROM "notification" n LEFT JOIN "elicitation" e ON e."id" = n."elicitation_id" LEFT JOIN "server" s ON s."id" = e."server_id";
COMMENT ON VIEW audit.notifications IS 'One row for each mail and each call of a webhook, until 30 days after it was settled. It follows from no entry of the log. Messages in chat are not in it.';
COMMENT ON COLUMN audit.notifications.notification IS 'The id of the notification.';
COMMENT ON COLUMN audit.notifications.request IS 'The request it tells of; null if it is about none.';
COMMENT ON COLUMN audit.notifications.server IS 'The name of the MCP server that asked.';
COMMENT ON COLUMN audit.notifications.tool IS 'The name of the tool that was about to run.';
COMMENT ON COLUMN audit.notifications.channel IS 'email or webhook.';
COMMENT ON COLUMN audit.notifications.person IS 'Who is told by mail.';
COMMENT ON COLUMN audit.notifications.webhook IS 'The id of the webhook that is called.';
COMMENT ON COLUMN audit.notifications.kind IS 'turn (they can vote), reminder, outcome (of their own request), or test.';
COMMENT ON COLUMN audit.notifications.state IS 'due, sent, moot (there was nothing left to tell) or failed.';
COMMENT ON COLUMN audit.notifications.planned_at IS 'When it was planned.';
COMMENT ON COLUMN audit.notifications.settled_at IS 'When it was sent, given up, or found moot; null if it is due.';
COMMENT ON COLUMN audit.notifications.failures IS 'How often it failed.';
COMMENT ON COLUMN audit.notifications.fault IS 'The code of the last failure.';

CREATE FUNCTION audit.membership_at(moment timestamptz)
  RETURNS TABLE (group_id text, group_name text, person text, name text, since timestamptz) LANGUAGE sql STABLE AS $$
    SELECT m.group_id, m.group_name, m.person, p.name, m.since FROM audit.memberships m JOIN audit.people p USING (person)
     WHERE m.since <= moment AND (m.until IS NULL OR moment < m.until) ORDER BY m.group_name, p.name
  $$;
COMMENT ON FUNCTION audit.membership_at IS 'Who was in which group at this moment.';

CREATE FUNCTION audit.could_approve(request text)
  RETURNS TABLE (stage int, stage_name text, group_name text, person text, name text, seated_as text, stands_in_for text)
  LANGUAGE sql STABLE AS $$
    SELECT s.stage, s.stage_name, s.group_name, s.person, p.name, s.seated_as, NULL
      FROM audit.seats s JOIN audit.people p USING (person) WHERE s.request = could_approve.request
    UNION ALL
    SELECT s.stage, s.stage_name, s.group_name, d.deputy, p.name, 'deputy', s.person
      FROM audit.seats s JOIN audit.decisions r USING (request) JOIN audit.deputies d ON d.person = s.person
        AND d.starts_at < coalesce(r.decided_at, now()) AND r.asked_at < d.ended_at
        AND (d.policies = '{}' OR r.policy = ANY (d.policies)) AND d.deputy <> ALL (r.requesters)
      JOIN audit.people p ON p.person = d.deputy
     WHERE s.request = could_approve.request
    ORDER BY 1, 3, 5
  $$;
COMMENT ON FUNCTION audit.could_approve IS 'Who could vote on this request, in which stage and why.';
