-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "audit_entry_person_at_id_idx" ON "audit_entry"("person", "at", "id") WHERE "person" <> '';
