-- What is due of one channel is found without reading what is due of the others.
CREATE INDEX "notification_due_channel_idx" ON "notification"("channel", "due_at") WHERE "state" = 'due';
-- What is due for the same person is sent together.
CREATE INDEX "notification_due_target_idx" ON "notification"("channel", "target") WHERE "state" = 'due';
