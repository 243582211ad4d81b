-- no-transaction: requests go on while it is built
-- It ends with the time: PostgreSQL sorts the few requests of one millisecond by their ids.
CREATE INDEX CONCURRENTLY "elicitation_risk_deadline_at_idx" ON "elicitation"((CASE "risk" WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END), "deadline_at")
  WHERE "status" = 'open';
