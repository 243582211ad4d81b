-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "audit_entry_former_person_idx" ON "audit_entry"((audit.entry("body") #>> '{actor,id}'), "at", "id")
  WHERE "person" IS NULL AND audit.entry("body") #>> '{actor,kind}' = 'user';
