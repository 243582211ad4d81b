-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "elicitation_server_id_closed_at_idx" ON "elicitation"("server_id", "closed_at");
