-- Policy authors and operators: people who change something and decide no request.

ALTER TABLE "app_user" DROP CONSTRAINT "app_user_role_check";
ALTER TABLE "app_user" ADD CONSTRAINT "app_user_role_check"
  CHECK ("role" IN ('admin', 'policy-author', 'operator', 'approver', 'reviewer')) NOT VALID;
ALTER TABLE "app_user" VALIDATE CONSTRAINT "app_user_role_check";

CREATE OR REPLACE VIEW audit.seats AS
  SELECT e."id" AS request, s.nr::int AS stage, s.stage ->> 'name' AS stage_name, seat.group_name, seat.person, seat.seated_as
    FROM "elicitation" e
    CROSS JOIN LATERAL jsonb_array_elements(e."snapshot" #> '{context,stages}') WITH ORDINALITY AS s(stage, nr)
    CROSS JOIN LATERAL (
      SELECT g.part ->> 'name' AS group_name, named.person, 'named' AS seated_as
        FROM jsonb_array_elements(s.stage -> 'groups') AS g(part), jsonb_array_elements_text(
          CASE jsonb_typeof(g.part -> 'approvers') WHEN 'array' THEN g.part -> 'approvers' ELSE '[]' END) AS named(person)
      UNION ALL
      SELECT g.part ->> 'name', r.person, 'anyone' FROM jsonb_array_elements(s.stage -> 'groups') AS g(part) JOIN audit.roles r
          ON r.enabled AND r.role IN ('admin', 'approver') AND r.since <= e."opened_at" AND (r.until IS NULL OR e."opened_at" < r.until)
       WHERE g.part ->> 'approvers' = 'anyone'
      UNION ALL
      SELECT NULL, asked.person, 'escalation' FROM jsonb_array_elements(coalesce(s.stage #> '{escalation,steps}', '[]')) AS wave(part),
          jsonb_array_elements_text(wave.part -> 'approvers') AS asked(person) WHERE (wave.part ->> 'taken')::boolean
    ) seat
   WHERE NOT s.stage -> 'excluded' ? seat.person;
