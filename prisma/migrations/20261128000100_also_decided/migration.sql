-- The names of the policies that decided next to the one that a request is under, as its entry has them; null in rows from before.
ALTER TABLE "elicitation" ADD COLUMN "also_by" TEXT[];
