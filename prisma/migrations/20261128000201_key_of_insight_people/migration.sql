ALTER TABLE "insight_person" DROP CONSTRAINT "insight_person_pkey",
  ADD CONSTRAINT "insight_person_pkey" PRIMARY KEY USING INDEX "insight_person_key";
