-- How the person of a session proved who they are. Nodes of the version before write none: their sessions count as signed
-- in by a link, so that people prove their password again where it matters.
ALTER TABLE "session" ADD COLUMN "method" TEXT NOT NULL DEFAULT 'link', ADD COLUMN "assurance" TEXT NOT NULL DEFAULT 'none';
UPDATE "session" SET "method" = 'password', "assurance" = 'single-factor' WHERE "authenticated_at" > to_timestamp(0);
