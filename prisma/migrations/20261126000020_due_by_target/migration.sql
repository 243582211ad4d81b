-- What is due for one place is found in its order, without reading what is due for a place that is crowded.
CREATE INDEX "notification_due_place_idx" ON "notification"("channel", "target", "due_at") WHERE "state" = 'due';
DROP INDEX "notification_due_target_idx";
