-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "elicitation_tool_closed_at_idx" ON "elicitation"("tool", "closed_at");
