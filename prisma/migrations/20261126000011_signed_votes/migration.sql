-- What a voter's passkey signed, as canonical JSON; null for a vote that no device signed.
ALTER TABLE "vote" ADD COLUMN "signature" TEXT;

-- The self-check reads every key that may have signed a vote.
CREATE INDEX "audit_entry_passkey_idx" ON "audit_entry"("seq") WHERE "type" LIKE 'user.passkey-%';
