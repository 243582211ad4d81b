-- Tokens by which programs administer. The token itself was shown once and is nowhere.
CREATE TABLE "admin_token" (
    "kid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "permissions" TEXT[] NOT NULL,
    -- CIDR; an empty list is no limit
    "networks" TEXT[] NOT NULL,
    -- the administrator who asked for it and saw it, and who issued the credential they did that with
    "maker_id" TEXT NOT NULL,
    "issuer_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    -- to the minute
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "admin_token_pkey" PRIMARY KEY ("kid"),
    CONSTRAINT "admin_token_maker_id_fkey" FOREIGN KEY ("maker_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
