-- Simulations read the latest requests.
CREATE INDEX "elicitation_opened_at_id_idx" ON "elicitation"("opened_at", "id");
