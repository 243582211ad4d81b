-- What a request expects of a provider: by the reference its events name the request, and prove nothing.
CREATE TABLE "expectation" (
  "elicitation_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "object_hash" BYTEA,
  "object" BYTEA,
  "next_look_at" TIMESTAMPTZ(3),
  "looks" INTEGER NOT NULL DEFAULT 0,
  "until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "expectation_pkey" PRIMARY KEY ("elicitation_id"),
  CONSTRAINT "expectation_elicitation_id_fkey" FOREIGN KEY ("elicitation_id") REFERENCES "elicitation" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "expectation_reference_key" ON "expectation" ("reference");
CREATE INDEX "expectation_object_hash_idx" ON "expectation" ("object_hash");
CREATE INDEX "expectation_next_look_at_idx" ON "expectation" ("next_look_at");

-- Events of providers whose signature held, so that each counts once.
CREATE TABLE "provider_event" (
  "provider" TEXT NOT NULL,
  "event_hash" BYTEA NOT NULL,
  "body_mac" BYTEA NOT NULL,
  "elicitation_id" TEXT,
  "verdict" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "provider_event_pkey" PRIMARY KEY ("provider", "event_hash")
);
CREATE INDEX "provider_event_at_idx" ON "provider_event" ("at");
