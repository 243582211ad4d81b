-- Those of verified_addresses whose provider may speak for their domain. The addresses from before count again after the next sign-in.
ALTER TABLE "app_user" ADD COLUMN "vouched_addresses" JSONB;
