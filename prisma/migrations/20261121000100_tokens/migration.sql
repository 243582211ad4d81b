-- Tokens that were made before their elicitation: each speaks for one elicitation, once it is asked, and never for another.
CREATE TABLE "token" (
    -- SHA-256 of the token's nonce; the token itself is nowhere.
    "nonce_hash" BYTEA NOT NULL,
    "server_id" TEXT NOT NULL,
    "elicitation_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "token_pkey" PRIMARY KEY ("nonce_hash"),
    CONSTRAINT "token_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "token_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "token_expires_at_idx" ON "token"("expires_at");
CREATE INDEX "token_elicitation_id_idx" ON "token"("elicitation_id");

-- Who has opened a hosted page: how often a code was tried, and the one browser that proved to be the requester's.
CREATE TABLE "page_proof" (
    "elicitation_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    -- SHA-256 of the secret in that browser's cookie.
    "session_hash" BYTEA,
    "account_id" TEXT,
    "proven_at" TIMESTAMPTZ(3),
    "consented_at" TIMESTAMPTZ(3),
    CONSTRAINT "page_proof_pkey" PRIMARY KEY ("elicitation_id"),
    CONSTRAINT "page_proof_attempts_check" CHECK ("attempts" BETWEEN 0 AND 5),
    CONSTRAINT "page_proof_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "page_proof_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- What speaks for one elicitation never comes to speak for another.
CREATE FUNCTION refuse_rebinding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a token is bound once';
END;
$$;
CREATE TRIGGER token_bound_once BEFORE UPDATE ON "token" FOR EACH ROW
  WHEN (OLD."elicitation_id" IS NOT NULL AND NEW."elicitation_id" IS DISTINCT FROM OLD."elicitation_id")
  EXECUTE FUNCTION refuse_rebinding();

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'assentry_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "token" TO assentry_app;
    GRANT SELECT, INSERT, UPDATE ON "page_proof" TO assentry_app;
  END IF;
END;
$$;
