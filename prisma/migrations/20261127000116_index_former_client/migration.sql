-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "audit_entry_former_client_idx" ON "audit_entry"((audit.entry("body") ->> 'client'))
  WHERE "person" IS NULL AND "type" = 'elicitation.opened' AND audit.entry("body") ->> 'client' IS NOT NULL;
