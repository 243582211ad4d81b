-- Keys that work only from some networks (CIDR; an empty list is no limit), and the key that replaced one.
ALTER TABLE "api_key" ADD COLUMN "networks" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "replaced_by" TEXT;

-- A node that keeps a key reads it again when one of its limits changes.
DROP TRIGGER api_key_epoch ON "api_key";
CREATE TRIGGER api_key_epoch
  AFTER DELETE OR UPDATE OF "server_id", "hash", "maker_id", "tools", "networks", "expires_at", "revoked_at" ON "api_key"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('keys');
