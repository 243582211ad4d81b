-- Whole weeks of the totals by day, so that a month is five rows of each tool and person, and not thirty. The nodes fill them:
-- docs/decisions/0053-insights-from-totals.md.
CREATE TABLE "insight_tool_week" (
    "week" DATE NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "accepted" INTEGER NOT NULL,
    "declined" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "expired" INTEGER NOT NULL,
    "approved" INTEGER NOT NULL,
    "rejected" INTEGER NOT NULL,

    CONSTRAINT "insight_tool_week_pkey" PRIMARY KEY ("week", "server_id", "tool")
);
CREATE TABLE "insight_person_week" (
    "server_id" TEXT NOT NULL,
    "week" DATE NOT NULL,
    "user_id" TEXT NOT NULL,
    "votes" INTEGER NOT NULL,
    "hasty" INTEGER NOT NULL,
    "spree" INTEGER NOT NULL,

    CONSTRAINT "insight_person_week_pkey" PRIMARY KEY ("server_id", "week", "user_id") INCLUDE ("votes", "hasty", "spree")
);
ALTER TABLE "insight_state" ADD COLUMN "weeks_until" DATE;
