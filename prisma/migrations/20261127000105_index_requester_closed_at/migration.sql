-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "elicitation_requester_closed_at_idx" ON "elicitation"("requester_hash", "closed_at") WHERE "closed_at" IS NOT NULL;
