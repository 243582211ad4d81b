-- When more than one factor was last proven in the session; null for never, and for sessions from before.
ALTER TABLE "session" ADD COLUMN "multi_factor_at" TIMESTAMPTZ(3);
