-- Wrong passwords of one account, counted over all nodes. The key is a keyed hash of the address that was typed, or of a
-- device that has signed in to that account before, which has a budget of its own.
CREATE TABLE "sign_in_budget" (
    "key" BYTEA NOT NULL,
    "failures" INTEGER NOT NULL,
    -- when the last attempt was made, and when the next one may be
    "at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_budget_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "sign_in_budget_at_idx" ON "sign_in_budget"("at");
