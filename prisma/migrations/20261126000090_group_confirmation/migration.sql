-- Members of a group that someone confirms every so many days, or that leave it.
ALTER TABLE "app_group"
  ADD COLUMN "owner_ids" TEXT[] NOT NULL DEFAULT '{}',
  -- null: no one needs to confirm them
  ADD COLUMN "confirm_days" INTEGER,
  -- when they were last confirmed, or when it was first asked for
  ADD COLUMN "confirmed_at" TIMESTAMPTZ(3),
  -- set when the owners were warned: those who are not confirmed by then leave
  ADD COLUMN "lapses_at" TIMESTAMPTZ(3),
  ADD CONSTRAINT "app_group_confirm_days_check" CHECK ("confirm_days" BETWEEN 1 AND 730),
  ADD CONSTRAINT "app_group_confirmed_at_check" CHECK (("confirm_days" IS NULL) = ("confirmed_at" IS NULL)),
  ADD CONSTRAINT "app_group_lapses_at_check" CHECK ("lapses_at" IS NULL OR "confirm_days" IS NOT NULL);
