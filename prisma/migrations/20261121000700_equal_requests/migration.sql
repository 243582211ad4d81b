-- What asks the same for the same requester: `wish` is empty for a call without a name of its own, and of these one
-- waits at a time; a call with a name is a wish of its own.
ALTER TABLE "elicitation" ADD COLUMN "equal_hash" BYTEA, ADD COLUMN "wish" TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX "elicitation_equal_open_key" ON "elicitation"("equal_hash", "wish") WHERE "status" = 'open';
