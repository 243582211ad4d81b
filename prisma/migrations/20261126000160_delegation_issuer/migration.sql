-- The administrator for whom the session counted in which someone let another person vote for them.
ALTER TABLE "delegation" ADD COLUMN "issuer_id" TEXT;
