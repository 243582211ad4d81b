-- Those that other indexes have taken the place of.
DROP INDEX "audit_entry_person_idx", "audit_entry_digest_idx", "audit_entry_client_idx";
