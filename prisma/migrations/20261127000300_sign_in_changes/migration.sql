-- no-transaction: requests go on while it is built
CREATE INDEX CONCURRENTLY "audit_entry_sign_in_idx" ON "audit_entry"("at") WHERE "type" IN (
  'user.password-set', 'user.password-changed', 'user.passkey-added', 'user.passkey-removed', 'user.totp-added',
  'user.totp-removed', 'user.recovery-codes-renewed', 'user.provider-connected', 'user.provider-removed', 'user.changed');
