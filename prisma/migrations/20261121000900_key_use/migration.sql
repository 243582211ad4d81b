-- When a key was last used, to the minute: whoever revokes keys sees which ones still serve.
ALTER TABLE "api_key" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
