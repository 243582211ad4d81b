-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "audit_entry_former_digest_idx" ON "audit_entry"((audit.entry("body") ->> 'digest'))
  WHERE "person" IS NULL AND "type" IN ('elicitation.opened', 'elicitation.edited');
