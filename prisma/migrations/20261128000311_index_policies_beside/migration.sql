-- no-transaction: requests go on while it is built
-- What a policy decided next to another is found by it, also what is open, and what was erased.
CREATE INDEX CONCURRENTLY "elicitation_beside_idx" ON "elicitation" USING gin ("also_by") WHERE "also_by" <> '{}';
