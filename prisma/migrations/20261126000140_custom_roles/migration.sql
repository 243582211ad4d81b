-- Roles that an installation makes: sets of permissions by name. A person has one by its name.
CREATE TABLE "custom_role" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "permissions" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "custom_role_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "custom_role_name_check" CHECK ("name" ~ '^[a-z][a-z0-9-]{1,39}$'
      AND "name" NOT IN ('admin', 'policy-author', 'operator', 'approver', 'reviewer'))
);
CREATE UNIQUE INDEX "custom_role_name_key" ON "custom_role"("name");

-- The directory in memory holds these rows.
CREATE TRIGGER custom_role_epoch AFTER INSERT OR UPDATE OR DELETE ON "custom_role"
  FOR EACH STATEMENT EXECUTE FUNCTION bump_epoch('users');

ALTER TABLE "app_user" DROP CONSTRAINT "app_user_role_check";
ALTER TABLE "app_user" ADD CONSTRAINT "app_user_role_check" CHECK ("role" ~ '^[a-z][a-z0-9-]{1,39}$') NOT VALID;
ALTER TABLE "app_user" VALIDATE CONSTRAINT "app_user_role_check";

-- Found by the view below without reading every entry.
CREATE INDEX "audit_entry_role_idx" ON "audit_entry"("seq") WHERE "type" LIKE 'role.%';

-- Whether a role could decide follows from what it permitted at the time.
CREATE OR REPLACE VIEW audit.roles AS
  WITH told AS (
    SELECT f ->> 'user' AS person, a."at", a."seq", coalesce(f ->> 'role', f #>> '{changed,role}') AS role,
           CASE a."type" WHEN 'user.added' THEN false ELSE (f #>> '{changed,disabled}')::boolean END AS is_disabled
      FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
     WHERE a."type" LIKE 'user.%' AND (a."type" = 'user.added' OR f -> 'changed' ?| ARRAY['role', 'disabled'])
  ), spans AS (
    SELECT person, at, lead(at) OVER later AS until, array_agg(role) FILTER (WHERE role IS NOT NULL) OVER later AS roles,
           array_agg(is_disabled) FILTER (WHERE is_disabled IS NOT NULL) OVER later AS states
      FROM told WINDOW later AS (PARTITION BY person ORDER BY seq)
  ), custom AS (
    SELECT f ->> 'name' AS name, f -> 'permissions' ? 'decide' AS decides, a."at" AS since,
           lead(a."at") OVER (PARTITION BY f ->> 'name' ORDER BY a."seq") AS until
      FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f WHERE a."type" LIKE 'role.%'
  )
  SELECT person, s.roles[cardinality(s.roles)] AS role, NOT s.states[cardinality(s.states)] AS enabled,
         greatest(s.at, m.since) AS since, least(s.until, m.until) AS until,
         coalesce(m.decides, s.roles[cardinality(s.roles)] IN ('admin', 'approver')) AS decides
    FROM spans s LEFT JOIN custom m ON m.name = s.roles[cardinality(s.roles)] AND (s.until IS NULL OR m.since < s.until)
     AND (m.until IS NULL OR s.at < m.until);
COMMENT ON COLUMN audit.roles.role IS 'admin, approver, operator, policy-author or reviewer, or one that the installation has made.';
COMMENT ON COLUMN audit.roles.decides IS 'Whether people with this role could decide in this time.';

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
          ON r.enabled AND r.decides AND r.since <= e."opened_at" AND (r.until IS NULL OR e."opened_at" < r.until)
       WHERE g.part ->> 'approvers' = 'anyone'
      UNION ALL
      SELECT NULL, asked.person, 'escalation' FROM jsonb_array_elements(coalesce(s.stage #> '{escalation,steps}', '[]')) AS wave(part),
          jsonb_array_elements_text(wave.part -> 'approvers') AS asked(person) WHERE (wave.part ->> 'taken')::boolean
    ) seat
   WHERE NOT s.stage -> 'excluded' ? seat.person;
