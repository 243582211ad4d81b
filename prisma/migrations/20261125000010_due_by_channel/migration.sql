-- What is due of one channel is found without reading what is due of the others.
CREATE INDEX "notification_due_channel_idx" ON "notification"("channel", "due_at") WHERE "state" = 'due';
