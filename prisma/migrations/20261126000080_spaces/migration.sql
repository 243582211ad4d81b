-- Spaces: servers, groups and policies that belong together, and the people who have a role for them.
CREATE TABLE "space" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "space_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "space_name_key" ON "space"("name");

CREATE TABLE "space_member" (
    "space_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    CONSTRAINT "space_member_pkey" PRIMARY KEY ("space_id", "user_id"),
    CONSTRAINT "space_member_role_check" CHECK ("role" IN ('space-admin', 'policy-author', 'operator', 'reviewer')),
    CONSTRAINT "space_member_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "space"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "space_member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "space_member_user_id_idx" ON "space_member"("user_id");

-- Null is global.
ALTER TABLE "server" ADD COLUMN "space_id" TEXT,
  ADD CONSTRAINT "server_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "space"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "app_group" ADD COLUMN "space_id" TEXT,
  ADD CONSTRAINT "app_group_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "space"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "policy" ADD COLUMN "space_id" TEXT,
  ADD CONSTRAINT "policy_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "space"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The directory in memory holds these rows.
CREATE TRIGGER space_epoch AFTER INSERT OR UPDATE OR DELETE ON "space"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
CREATE TRIGGER space_member_epoch AFTER INSERT OR UPDATE OR DELETE ON "space_member"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');
