-- What services reported and was not taken: too late, or it did not fit. Sealed under the key of its request.
CREATE TABLE "callback_report" (
  "elicitation_id" TEXT NOT NULL REFERENCES "elicitation" ("id"),
  "report_hash" BYTEA NOT NULL,
  "is_late" BOOLEAN NOT NULL,
  "body" BYTEA NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("elicitation_id", "report_hash")
);
CREATE INDEX "callback_report_at" ON "callback_report" ("at");
