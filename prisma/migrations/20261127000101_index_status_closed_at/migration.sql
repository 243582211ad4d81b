-- no-transaction: requests go on while it is built
-- Most requests are accepted, and a page of those is found by the time alone.
CREATE INDEX CONCURRENTLY "elicitation_status_closed_at_idx" ON "elicitation"("status", "closed_at")
  WHERE "closed_at" IS NOT NULL AND "status" <> 'accepted';
