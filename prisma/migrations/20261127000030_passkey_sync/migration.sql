-- Whether the authenticator may copy the key elsewhere, as it said when the passkey was added; null for those from before.
ALTER TABLE "passkey" ADD COLUMN "is_syncable" BOOLEAN;
