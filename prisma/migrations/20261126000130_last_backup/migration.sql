-- When `assentry backup` was last complete, for the metrics. Its owner writes it; nodes read it.
CREATE TABLE "last_backup" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "last_backup_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "last_backup_one" CHECK ("id" = 1)
);
