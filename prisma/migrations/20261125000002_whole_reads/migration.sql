-- Every statement has an index, also one that reads a short table whole: docs/decisions/0019-plans-by-index.md.
CREATE INDEX "secret_added_at_kid_idx" ON "secret"("added_at", "kid");
CREATE INDEX "secret_active_at_idx" ON "secret"("active_at");
CREATE INDEX "delegation_revoked_at_idx" ON "delegation"("revoked_at");
CREATE INDEX "app_user_name_id_idx" ON "app_user"("name", "id");
CREATE INDEX "app_user_disabled_at_idx" ON "app_user"("disabled_at");
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");
CREATE INDEX "link_user_id_idx" ON "link"("user_id");
CREATE INDEX "link_purpose_idx" ON "link"("purpose");
CREATE INDEX "policy_version_state_idx" ON "policy_version"("state");
CREATE INDEX "webhook_added_at_id_idx" ON "webhook"("added_at", "id");
CREATE INDEX "push_device_added_at_id_idx" ON "push_device"("added_at", "id");
CREATE INDEX "stop_at_id_idx" ON "stop"("at", "id");
CREATE INDEX "app_grant_created_at_id_idx" ON "app_grant"("created_at" DESC, "id");
CREATE INDEX "delegation_created_at_id_idx" ON "delegation"("created_at" DESC, "id");
CREATE INDEX "saved_view_saved_at_id_idx" ON "saved_view"("saved_at" DESC, "id");
CREATE INDEX "notification_failed_idx" ON "notification"("id") WHERE "state" = 'failed';
