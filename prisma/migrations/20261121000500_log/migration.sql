-- The log proves itself: entries get places in a Merkle tree, whose heads are signed.

-- What has no place yet. A trigger fills it, so that no statement can forget to.
CREATE TABLE "audit_queue" (
    "seq" BIGSERIAL NOT NULL,
    "entry_id" TEXT NOT NULL,
    "leaf_hash" BYTEA NOT NULL,
    CONSTRAINT "audit_queue_pkey" PRIMARY KEY ("seq")
);

CREATE TABLE "audit_leaf" (
    "idx" BIGINT NOT NULL,
    "entry_id" TEXT NOT NULL,
    CONSTRAINT "audit_leaf_pkey" PRIMARY KEY ("idx")
);
CREATE UNIQUE INDEX "audit_leaf_entry_id_key" ON "audit_leaf"("entry_id");

-- C2SP tlog-tiles: up to 256 hashes of 32 bytes.
CREATE TABLE "audit_tile" (
    "level" INTEGER NOT NULL,
    "n" BIGINT NOT NULL,
    "hashes" BYTEA NOT NULL,
    CONSTRAINT "audit_tile_pkey" PRIMARY KEY ("level", "n"),
    CONSTRAINT "audit_tile_hashes_check" CHECK (length("hashes") BETWEEN 32 AND 8192 AND length("hashes") % 32 = 0)
);

CREATE TABLE "audit_checkpoint" (
    "size" BIGINT NOT NULL,
    "note" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "audit_checkpoint_pkey" PRIMARY KEY ("size")
);

-- What the log is called in what it signs: one name for as long as the installation lives.
CREATE TABLE "audit_origin" (
    "name" TEXT NOT NULL,
    CONSTRAINT "audit_origin_pkey" PRIMARY KEY ("name")
);
CREATE UNIQUE INDEX "audit_origin_one_key" ON "audit_origin"((true));
INSERT INTO "audit_origin" ("name") VALUES ('assentry/' || gen_random_uuid());

INSERT INTO "audit_queue" ("entry_id", "leaf_hash") SELECT "id", "leaf_hash" FROM "audit_entry" ORDER BY "at", "id";

-- Once for a statement, however many entries it writes.
CREATE FUNCTION queue_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_queue" ("entry_id", "leaf_hash") SELECT "id", "leaf_hash" FROM added;
  RETURN NULL;
END;
$$;
CREATE TRIGGER audit_entry_queue AFTER INSERT ON "audit_entry"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_audit_entries();

-- A tile only grows: what it holds stays, and a full one stays as it is.
CREATE FUNCTION refuse_other_tile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."level" <> OLD."level" OR NEW."n" <> OLD."n" OR substring(NEW."hashes" FROM 1 FOR length(OLD."hashes")) <> OLD."hashes" THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER audit_tile_only_grows BEFORE UPDATE ON "audit_tile" FOR EACH ROW EXECUTE FUNCTION refuse_other_tile();
CREATE TRIGGER audit_tile_no_delete BEFORE DELETE ON "audit_tile" FOR EACH ROW EXECUTE FUNCTION refuse_change();

DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['audit_leaf', 'audit_checkpoint', 'audit_origin'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
      kept || '_no_change', kept);
  END LOOP;
  FOREACH kept IN ARRAY ARRAY['audit_leaf', 'audit_checkpoint', 'audit_origin', 'audit_tile', 'audit_queue'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
      kept || '_no_truncate', kept);
  END LOOP;
END;
$$;

-- Where each entry stands in the log; null while it has no place yet.
CREATE OR REPLACE VIEW "audit_log" WITH (security_barrier) AS
  SELECT e."id", e."at", e."type", e."elicitation_id", convert_from(e."body", 'UTF8')::jsonb AS "entry", e."leaf_hash", l."idx"
    FROM "audit_entry" e LEFT JOIN "audit_leaf" l ON l."entry_id" = e."id";
CREATE VIEW "audit_heads" WITH (security_barrier) AS SELECT "size", "note", "at" FROM "audit_checkpoint";

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'assentry_app') THEN
    GRANT SELECT ON "audit_queue", "audit_leaf", "audit_tile", "audit_checkpoint", "audit_origin", "audit_heads" TO assentry_app;
    GRANT INSERT, DELETE ON "audit_queue" TO assentry_app;
    GRANT USAGE ON SEQUENCE "audit_queue_seq_seq" TO assentry_app;
    GRANT INSERT ON "audit_leaf", "audit_checkpoint" TO assentry_app;
    GRANT INSERT, UPDATE ON "audit_tile" TO assentry_app;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'assentry_auditor') THEN
    GRANT SELECT ON "audit_heads" TO assentry_auditor;
  END IF;
END;
$$;
