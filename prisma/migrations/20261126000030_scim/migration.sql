-- Tokens by which an identity provider provisions people and groups. The token itself was shown once and is nowhere.
CREATE TABLE "scim_token" (
    "kid" TEXT NOT NULL,
    -- the provider's key in the settings, and the issuer that it had there
    "provider" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    -- to the minute
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "scim_token_pkey" PRIMARY KEY ("kid")
);

-- What the identity provider that provisions a person calls them. A person has one such provider, and the row stays.
CREATE TABLE "provisioned_user" (
    "user_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "external_id" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    -- when the provider disabled this person: it enables only whom it has disabled itself
    "disabled_at" TIMESTAMPTZ(3),
    -- set if the provider has deleted the person: to it they are absent
    "deleted_at" TIMESTAMPTZ(3),
    CONSTRAINT "provisioned_user_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "provisioned_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "provisioned_user_name_key" ON "provisioned_user"("issuer", lower("user_name")) WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "provisioned_user_external_id_key" ON "provisioned_user"("issuer", "external_id") WHERE "deleted_at" IS NULL;

-- The groups that an identity provider has made.
CREATE TABLE "provisioned_group" (
    "group_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "external_id" TEXT,
    CONSTRAINT "provisioned_group_pkey" PRIMARY KEY ("group_id"),
    CONSTRAINT "provisioned_group_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "app_group"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- A node's directory in memory holds these rows with the person and the group.
CREATE TRIGGER provisioned_user_epoch AFTER INSERT OR UPDATE OR DELETE ON "provisioned_user"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
CREATE TRIGGER provisioned_group_epoch AFTER INSERT OR UPDATE OR DELETE ON "provisioned_group"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');

-- The claim by which SCIM knows the person, with the value that the last sign-in had.
ALTER TABLE "federated_identity" ADD COLUMN "scim_claim" TEXT;
