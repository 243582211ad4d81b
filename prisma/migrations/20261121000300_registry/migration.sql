-- A version decides only after a second person approved it, or where the operator applied it; and who wrote it and who
-- reviewed it is never rewritten.
CREATE FUNCTION refuse_unreviewed_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."published_version" IS NOT NULL
    AND (TG_OP = 'INSERT' OR NEW."published_version" IS DISTINCT FROM OLD."published_version")
    AND NOT EXISTS (
      SELECT FROM "policy_version" v
       WHERE v."policy_id" = NEW."id" AND v."version" = NEW."published_version" AND v."state" = 'approved'
         AND (v."author_id" IS NULL OR v."reviewer_id" IS NOT NULL)) THEN
    RAISE EXCEPTION 'only a reviewed version is published';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER policy_only_reviewed BEFORE INSERT OR UPDATE ON "policy"
  FOR EACH ROW EXECUTE FUNCTION refuse_unreviewed_policy();

CREATE OR REPLACE FUNCTION refuse_policy_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."state" <> 'draft' AND (NEW."document" <> OLD."document" OR NEW."digest" <> OLD."digest") THEN
    RAISE EXCEPTION 'a version that left its draft never changes';
  END IF;
  IF NEW."author_id" IS DISTINCT FROM OLD."author_id"
    OR (OLD."reviewer_id" IS NOT NULL AND NEW."reviewer_id" IS DISTINCT FROM OLD."reviewer_id")
    OR (OLD."state" IN ('approved', 'rejected') AND NEW."state" <> OLD."state") THEN
    RAISE EXCEPTION 'who wrote and who reviewed a version never changes';
  END IF;
  RETURN NEW;
END;
$$;
