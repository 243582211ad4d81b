-- Authenticator apps of people: each makes one-time codes (TOTP, RFC 6238). A removed one stays as a row without its secret,
-- so that its latest entry says so. What it counts for besides its person is kept with it: the administrator whose link made
-- the sign-in under which it was added.
CREATE TABLE "totp" (
  "id" TEXT PRIMARY KEY,
  "user_id" TEXT NOT NULL REFERENCES "app_user" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  -- its secret and the hashes of its recovery codes
  "sealed" BYTEA,
  "issued_by_id" TEXT,
  "added_at" TIMESTAMPTZ(3) NOT NULL,
  "removed_at" TIMESTAMPTZ(3),
  -- the step of the last code that counted: no code counts twice
  "last_step" BIGINT NOT NULL,
  -- the places of the recovery codes that were used
  "used_codes" INTEGER[] NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX "totp_user_id_key" ON "totp" ("user_id") WHERE "removed_at" IS NULL;

-- The second factor that the person of a session has proven after the first one; null for none.
ALTER TABLE "session" ADD COLUMN "second_factor" TEXT,
  -- whether a factor was proven in it in which no administrator had a part: then it counts for no one else
  ADD COLUMN "has_own_factor" BOOLEAN NOT NULL DEFAULT false,
  -- what the identity provider vouched for when the person last proved who they are there
  ADD COLUMN "acr" TEXT,
  ADD COLUMN "totp_id" TEXT REFERENCES "totp" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Whether setting a password with this link also removes the person's second factors.
ALTER TABLE "link" ADD COLUMN "resets_factors" BOOLEAN NOT NULL DEFAULT false;
