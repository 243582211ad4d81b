-- The trace of the call that asked, as its caller says; null if it said none.
ALTER TABLE "elicitation" ADD COLUMN "traceparent" TEXT;
