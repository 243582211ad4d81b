-- Who a person is at an identity provider. An address is never a key: issuer and subject are.
CREATE TABLE "federated_identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- the administrator for whom sign-ins with it count as well; null if no administrator had a part in it
    "linked_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "federated_identity_pkey" PRIMARY KEY ("issuer", "subject"),
    CONSTRAINT "federated_identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "federated_identity_user_id_idx" ON "federated_identity"("user_id");

-- Sign-ins at a provider that have begun, by the hash of the secret that the browser keeps.
CREATE TABLE "sign_in_attempt" (
    "hash" BYTEA NOT NULL,
    "provider" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    -- the session that is proven again, or whose person connects the provider
    "session_id" TEXT,
    "return_to" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "sign_in_attempt_expires_at_idx" ON "sign_in_attempt"("expires_at");

-- Notices of providers that sessions have ended: each counts once.
CREATE TABLE "logout_notice" (
    "issuer" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "logout_notice_pkey" PRIMARY KEY ("issuer", "id")
);
CREATE INDEX "logout_notice_expires_at_idx" ON "logout_notice"("expires_at");

-- Where the person of a session signed in, and what the provider calls its own session with that browser.
ALTER TABLE "session" ADD COLUMN "provider_issuer" TEXT, ADD COLUMN "provider_subject" TEXT, ADD COLUMN "provider_sid" TEXT;
CREATE INDEX "session_provider_idx" ON "session"("provider_issuer", "provider_subject") WHERE "provider_issuer" IS NOT NULL;
CREATE INDEX "session_provider_sid_idx" ON "session"("provider_issuer", "provider_sid") WHERE "provider_sid" IS NOT NULL;

-- The provider whose claim makes this person a member; null if an administrator did.
ALTER TABLE "group_member" ADD COLUMN "source" TEXT;
