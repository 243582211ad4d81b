-- What Insights count, in totals by day in UTC. The nodes fill them step by step, from the first request on:
-- docs/decisions/0049-insights-from-totals.md. An empty server and tool stand for all of them together.
CREATE TABLE "insight_tool" (
    "day" DATE NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "accepted" INTEGER NOT NULL,
    "declined" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "expired" INTEGER NOT NULL,
    "approved" INTEGER NOT NULL,
    "rejected" INTEGER NOT NULL,

    CONSTRAINT "insight_tool_pkey" PRIMARY KEY ("day", "server_id", "tool")
);

CREATE TABLE "insight_wait" (
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "bucket" SMALLINT NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "insight_wait_pkey" PRIMARY KEY ("server_id", "tool", "day", "bucket") INCLUDE ("requests")
);

CREATE TABLE "insight_person" (
    "day" DATE NOT NULL,
    "user_id" TEXT NOT NULL,
    "votes" INTEGER NOT NULL,
    "hasty" INTEGER NOT NULL,
    "spree" INTEGER NOT NULL,
    "spree_at" TIMESTAMPTZ(3),

    CONSTRAINT "insight_person_pkey" PRIMARY KEY ("day", "user_id")
);

-- As many as make a spree.
CREATE INDEX "insight_person_spree_idx" ON "insight_person"("day") WHERE "spree" >= 20;

CREATE TABLE "insight_policy" (
    "day" DATE NOT NULL,
    "policy" TEXT NOT NULL,
    "allowed" INTEGER NOT NULL,
    "drawn" INTEGER NOT NULL,

    CONSTRAINT "insight_policy_pkey" PRIMARY KEY ("day", "policy")
);

CREATE TABLE "insight_burst" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "insight_burst_pkey" PRIMARY KEY ("at", "server_id", "tool")
);

CREATE TABLE "insight_run" (
    "id" BIGSERIAL NOT NULL,
    "user_id" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "votes" INTEGER NOT NULL,
    "is_open" BOOLEAN NOT NULL,

    CONSTRAINT "insight_run_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "insight_run_ended_at_idx" ON "insight_run"("ended_at");
CREATE INDEX "insight_run_open_idx" ON "insight_run"("user_id") WHERE "is_open";

-- Up to when all of it has been counted.
CREATE TABLE "insight_state" (
    "id" INTEGER NOT NULL,
    "counted_until" TIMESTAMPTZ(3),

    CONSTRAINT "insight_state_pkey" PRIMARY KEY ("id")
);
INSERT INTO "insight_state" VALUES (1, NULL);
