-- Whether someone is the same natural person as another account of the directory, as administrators have decided: they count once.
-- Each pair stands at the greater of its two ids.
ALTER TABLE "app_user" ADD COLUMN "decided_pairs" JSONB;
