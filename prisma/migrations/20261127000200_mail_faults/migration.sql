-- no-transaction: notifications go on while it is built
CREATE INDEX CONCURRENTLY "notification_mail_faults_idx" ON "notification"("created_at")
  WHERE "channel" = 'email' AND "failures" > 1 AND "state" IN ('due', 'failed');
