-- Who a person is in Slack, as an administrator says.
ALTER TABLE "account" ADD COLUMN "slack_id" TEXT;
CREATE UNIQUE INDEX "account_slack_id_key" ON "account"("slack_id");

-- Open requests whose policy tells of them in chat. A row is made in the statement that opens or edits its request,
-- and goes when the last of its messages has been planned.
CREATE TABLE "chat_request" (
    "elicitation_id" TEXT NOT NULL,
    "planned" INTEGER NOT NULL DEFAULT -1,
    CONSTRAINT "chat_request_pkey" PRIMARY KEY ("elicitation_id")
);
ALTER TABLE "chat_request" ADD CONSTRAINT "chat_request_elicitation_id_fkey"
  FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One message each, to a channel or to a person. It is due where it shows less than it should.
CREATE TABLE "chat_message" (
    "elicitation_id" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "channel" TEXT,
    "ts" TEXT,
    "wanted" INTEGER NOT NULL,
    "shown" INTEGER NOT NULL DEFAULT -1,
    "shown_hash" BYTEA,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "chat_message_pkey" PRIMARY KEY ("elicitation_id", "target")
);
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_elicitation_id_fkey"
  FOREIGN KEY ("elicitation_id") REFERENCES "elicitation"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "chat_message_due_at_idx" ON "chat_message"("due_at") WHERE "shown" < "wanted";
CREATE INDEX "chat_message_channel_ts_idx" ON "chat_message"("channel", "ts");

-- Clicks that were taken, so that the same delivery, sent again, does nothing.
CREATE TABLE "chat_delivery" (
    "hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "chat_delivery_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "chat_delivery_at_idx" ON "chat_delivery"("at");

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'assentry_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "chat_request", "chat_message" TO assentry_app;
    GRANT SELECT, INSERT, DELETE ON "chat_delivery" TO assentry_app;
  END IF;
END $$;
