-- no-transaction: requests go on while it is built
-- Of rows from before, retention reads the entries.
CREATE INDEX CONCURRENTLY "elicitation_former_also_by_idx" ON "elicitation"("closed_at")
  WHERE "also_by" IS NULL AND "closed_at" IS NOT NULL AND "data_key" IS NOT NULL;
