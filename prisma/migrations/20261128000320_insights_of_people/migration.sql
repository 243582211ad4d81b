-- What a timer refused or let expire is no decision of people, whoever had voted before, and an emergency override is one. The totals are
-- emptied, and the nodes fill them again, step by step, from the first request on: docs/decisions/0053-insights-from-totals.md.
TRUNCATE "insight_tool", "insight_wait", "insight_person", "insight_policy", "insight_burst", "insight_run";

-- Under another name, so that a node of the version before, which counts these as well, adds nothing to them.
ALTER TABLE "insight_state" RENAME COLUMN "filled_until" TO "summed_until";
UPDATE "insight_state" SET "summed_until" = NULL;
