-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "audit_entry_digest_of_idx" ON "audit_entry"("digest") WHERE "digest" <> '';
