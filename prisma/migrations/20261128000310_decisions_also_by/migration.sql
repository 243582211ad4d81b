-- Reviewers find a request by every policy that decided it, as one of a space does next to a global one.

-- Rows from before have the names in their entries alone.
UPDATE "elicitation" e SET "also_by" = told.names
  FROM (SELECT DISTINCT ON (a."elicitation_id") a."elicitation_id" AS id,
               ARRAY(SELECT split_part(also, '@', 1) FROM jsonb_array_elements_text(f -> 'alsoBy') also) AS names
          FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
         WHERE a."type" IN ('elicitation.opened', 'elicitation.edited')
           -- Few requests have such names, and only the entries of these are read as JSON.
           AND a."elicitation_id" IN (SELECT named."elicitation_id" FROM "audit_entry" named
                WHERE named."type" IN ('elicitation.opened', 'elicitation.edited') AND position('"alsoBy":'::bytea IN named."body") > 0)
         ORDER BY a."elicitation_id", a."seq" DESC) told
 WHERE e."id" = told.id AND e."also_by" IS NULL AND told.names <> '{}';

CREATE OR REPLACE VIEW audit.decisions AS
  SELECT e."id" AS request, e."tool_call_id" AS call, s."name" AS server, e."tool", e."risk", e."audience",
         split_part(e."policy", '@', 1) AS policy, substring(e."policy" FROM '@(\d+)$')::int AS policy_version,
         told.opened ->> 'requester' AS requester,
         ARRAY(SELECT jsonb_array_elements_text(told.opened -> 'requesters')) AS requesters,
         e."status" AS outcome, e."cause", told.closed #>> '{actor,kind}' AS decided_by,
         CASE WHEN told.closed #>> '{actor,kind}' = 'user' THEN told.closed #>> '{actor,id}' END AS person,
         told.closed #>> '{actor,grant}' AS grant_id, e."opened_at" AS asked_at, seen."at" AS seen_at, e."closed_at" AS decided_at,
         e."closed_at" - e."opened_at" AS waited, e."closed_at" - seen."at" AS considered,
         told.is_edited AS edited, told.is_override AS override, e."revision", e."digest",
         ARRAY(SELECT counted.vote ->> 'by' FROM jsonb_array_elements(e."snapshot" #> '{context,votes}') WITH ORDINALITY AS counted(vote, nr)
                WHERE counted.vote ->> 'action' = 'accept' ORDER BY counted.nr) AS approvers,
         told.opened ->> 'client' AS client, t."lapse",
         ARRAY(SELECT split_part(also, '@', 1) FROM jsonb_array_elements_text(told.judged -> 'alsoBy') also) AS also_by
    FROM "elicitation" e JOIN "server" s ON s."id" = e."server_id" JOIN "tool_call" t ON t."id" = e."tool_call_id"
    CROSS JOIN LATERAL (
      SELECT (array_agg(f) FILTER (WHERE a."type" = 'elicitation.opened'))[1] AS opened,
             (array_agg(f ORDER BY a."seq" DESC) FILTER (WHERE a."type" IN ('elicitation.opened', 'elicitation.edited')))[1] AS judged,
             (array_agg(f ORDER BY a."seq" DESC) FILTER (WHERE f ->> 'from' = 'open' AND f ->> 'to' <> 'open'))[1] AS closed,
             coalesce(bool_or(a."type" = 'elicitation.edited'), false) AS is_edited,
             coalesce(bool_or(a."type" = 'elicitation.break-glass'), false) AS is_override
        FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
       WHERE a."elicitation_id" = e."id" AND a."type" LIKE 'elicitation.%') told
    LEFT JOIN LATERAL (
      SELECT min(r."at") AS at FROM "audit_entry" r
       WHERE r."type" = 'access.read' AND audit.entry(r."body") #>> '{about,0}' = e."id"
         AND audit.entry(r."body") #>> '{actor,id}' = told.closed #>> '{actor,id}' AND r."at" <= e."closed_at") seen ON true;
COMMENT ON COLUMN audit.decisions.person IS 'The person who ended it: of several approvers, the one with the last vote; null if a server, a policy or a timer did. approvers has them all.';
COMMENT ON COLUMN audit.decisions.also_by IS 'The policies that decided it next to the one in policy, such as one of the space of its server.';
