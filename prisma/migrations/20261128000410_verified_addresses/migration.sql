-- Other addresses than their own that identity providers have verified at sign-ins of someone: another account with one may be theirs.
ALTER TABLE "app_user" ADD COLUMN "verified_addresses" JSONB;
