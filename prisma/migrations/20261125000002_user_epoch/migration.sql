-- The epoch of a person's last change, so that a node that holds everyone reads again only who has changed since.
ALTER TABLE "app_user" ADD COLUMN "epoch" BIGINT NOT NULL DEFAULT 0;

-- The counter stays locked until the commit, whose own statement moves it at least this far: no later commit brings a lower number.
CREATE FUNCTION stamp_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  SELECT "value" + 1 INTO STRICT NEW."epoch" FROM "epoch" WHERE "name" = 'users' FOR UPDATE;
  RETURN NEW;
END;
$$;
CREATE TRIGGER app_user_stamp BEFORE INSERT OR UPDATE ON "app_user" FOR EACH ROW EXECUTE FUNCTION stamp_user();
CREATE INDEX "app_user_epoch_idx" ON "app_user"("epoch");
