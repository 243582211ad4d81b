-- no-transaction: requests go on while it is built
-- Of what is erased nothing stays in it.
CREATE INDEX CONCURRENTLY "elicitation_also_by_idx" ON "elicitation" USING gin ("also_by")
  WHERE "also_by" <> '{}' AND "closed_at" IS NOT NULL AND "data_key" IS NOT NULL;
