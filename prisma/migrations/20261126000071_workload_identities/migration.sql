-- Which workloads ask as an MCP server, by tokens of an issuer instead of a key.
CREATE TABLE "workload" (
    "kid" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    -- exact, or with a * at the end of a part
    "subject" TEXT NOT NULL,
    -- other claims that must have exactly these texts
    "claims" JSONB NOT NULL,
    "maker_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    -- to the minute
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "workload_pkey" PRIMARY KEY ("kid"),
    CONSTRAINT "workload_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "server"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "workload_issuer_idx" ON "workload"("issuer") WHERE "removed_at" IS NULL;

-- A statement that stores what a workload asks for checks that nothing has changed since it was read.
CREATE TRIGGER workload_epoch
  AFTER DELETE OR UPDATE OF "server_id", "issuer", "audience", "subject", "claims", "maker_id", "removed_at" ON "workload"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('keys');
