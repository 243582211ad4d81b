-- Tries of the code of a hosted page, by link and browser. A row without a browser counts all browsers of the link that
-- never gave the right code.
CREATE TABLE "page_try" (
  "elicitation_id" TEXT NOT NULL REFERENCES "elicitation" ("id"),
  "link_hash" BYTEA NOT NULL,
  "browser_hash" BYTEA NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "tries" INTEGER NOT NULL,
  "total" INTEGER NOT NULL,
  PRIMARY KEY ("elicitation_id", "link_hash", "browser_hash")
);
-- "attempts" counts tries since the present code was made, up to 5. "code" is a later code than the one the request was
-- opened with, sealed under its key. "former_hashes" are the browsers that gave the right code before the present one.
ALTER TABLE "page_proof" ADD COLUMN "code" BYTEA, ADD COLUMN "former_hashes" BYTEA[] NOT NULL DEFAULT '{}';
