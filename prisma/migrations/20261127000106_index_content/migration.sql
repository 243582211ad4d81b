-- no-transaction: requests go on while it is built
-- Retention asks for each policy by itself.
CREATE INDEX CONCURRENTLY "elicitation_content_idx" ON "elicitation"((split_part("policy", '@', 1)), "closed_at")
  WHERE "closed_at" IS NOT NULL AND "data_key" IS NOT NULL;
