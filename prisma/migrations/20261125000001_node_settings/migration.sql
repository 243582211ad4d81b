-- What a node runs as, so that nodes which differ are named; an older node says nothing.
ALTER TABLE "node" ADD COLUMN "settings" JSONB NOT NULL DEFAULT '{}';
-- The list of nodes is read by every change, and never as a whole.
CREATE INDEX "node_seen_at_idx" ON "node"("seen_at");
