-- The last reminder of its request that a message was followed by, so that each is told once.
ALTER TABLE "chat_message" ADD COLUMN "reminded_at" TIMESTAMPTZ(3);
