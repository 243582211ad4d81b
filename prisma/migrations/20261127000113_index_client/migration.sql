-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "audit_entry_client_of_idx" ON "audit_entry"("client") WHERE "client" <> '';
