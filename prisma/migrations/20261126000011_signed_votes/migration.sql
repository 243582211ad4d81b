-- What a voter's passkey signed, as canonical JSON; null for a vote that no device signed.
ALTER TABLE "vote" ADD COLUMN "signature" TEXT;
