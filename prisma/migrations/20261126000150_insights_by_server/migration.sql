-- The totals of votes, samples and runs by server as well, an empty one for all of them together. All are emptied, and the nodes
-- fill them again, step by step, from the first request on: docs/decisions/0053-insights-from-totals.md.
TRUNCATE "insight_tool", "insight_wait", "insight_burst", "insight_run";

DROP TABLE "insight_person";
CREATE TABLE "insight_person" (
    "server_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "user_id" TEXT NOT NULL,
    "votes" INTEGER NOT NULL,
    "hasty" INTEGER NOT NULL,
    "spree" INTEGER NOT NULL,
    "spree_at" TIMESTAMPTZ(3),

    CONSTRAINT "insight_person_pkey" PRIMARY KEY ("server_id", "day", "user_id")
);

DROP TABLE "insight_policy";
CREATE TABLE "insight_policy" (
    "server_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "policy" TEXT NOT NULL,
    "allowed" INTEGER NOT NULL,
    "drawn" INTEGER NOT NULL,

    CONSTRAINT "insight_policy_pkey" PRIMARY KEY ("server_id", "day", "policy")
);

ALTER TABLE "insight_run" ADD COLUMN "server_id" TEXT NOT NULL;
DROP INDEX "insight_run_ended_at_idx";
CREATE INDEX "insight_run_server_id_ended_at_idx" ON "insight_run"("server_id", "ended_at");
DROP INDEX "insight_run_open_idx";
CREATE INDEX "insight_run_open_idx" ON "insight_run"("user_id", "server_id") WHERE "is_open";

-- Under another name, so that a node of the version before, whose statements have no servers, adds nothing to them.
ALTER TABLE "insight_state" RENAME COLUMN "counted_until" TO "filled_until";
UPDATE "insight_state" SET "filled_until" = NULL;
