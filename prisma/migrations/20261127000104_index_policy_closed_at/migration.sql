-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "elicitation_policy_closed_at_idx" ON "elicitation"((split_part("policy", '@', 1)), "closed_at");
