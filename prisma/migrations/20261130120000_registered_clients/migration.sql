-- This installation as an issuer has registered it, for one return address. One node registers it, and the others join.
CREATE TABLE "registered_client" (
  "issuer" TEXT NOT NULL,
  "redirect_uri" TEXT NOT NULL,
  "sealed" BYTEA,
  "expires_at" TIMESTAMPTZ(3),
  "leased_until" TIMESTAMPTZ(3),
  PRIMARY KEY ("issuer", "redirect_uri")
);
