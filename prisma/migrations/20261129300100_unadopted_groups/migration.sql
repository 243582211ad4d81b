-- Since then a group that a provider made waits for an administrator to adopt it. The groups from before count as they did.
ALTER TABLE "provisioned_group" ADD COLUMN "unadopted_since" TIMESTAMPTZ(3);
