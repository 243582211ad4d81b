-- Whose votes counted is what the request itself held at its end. A vote ends as well when an earlier stage collects again, and
-- with an edit; and a person whom a directory takes from one stage keeps their votes in the others.

CREATE OR REPLACE VIEW audit.decisions AS
  SELECT e."id" AS request, e."tool_call_id" AS call, s."name" AS server, e."tool", e."risk", e."audience",
         split_part(e."policy", '@', 1) AS policy, substring(e."policy" FROM '@(\d+)$')::int AS policy_version,
         told.opened ->> 'requester' AS requester,
         ARRAY(SELECT jsonb_array_elements_text(told.opened -> 'requesters')) AS requesters,
         e."status" AS outcome, e."cause", told.closed #>> '{actor,kind}' AS decided_by, told.closed #>> '{actor,id}' AS person,
         told.closed #>> '{actor,grant}' AS grant_id, e."opened_at" AS asked_at, seen."at" AS seen_at, e."closed_at" AS decided_at,
         e."closed_at" - e."opened_at" AS waited, e."closed_at" - seen."at" AS considered,
         told.is_edited AS edited, told.is_override AS override, e."revision", e."digest",
         ARRAY(SELECT counted.vote ->> 'by' FROM jsonb_array_elements(e."snapshot" #> '{context,votes}') WITH ORDINALITY AS counted(vote, nr)
                WHERE counted.vote ->> 'action' = 'accept' ORDER BY counted.nr) AS approvers,
         told.opened ->> 'client' AS client, t."lapse"
    FROM "elicitation" e JOIN "server" s ON s."id" = e."server_id" JOIN "tool_call" t ON t."id" = e."tool_call_id"
    CROSS JOIN LATERAL (
      SELECT (array_agg(f) FILTER (WHERE a."type" = 'elicitation.opened'))[1] AS opened,
             (array_agg(f ORDER BY a."seq" DESC) FILTER (WHERE f ->> 'from' = 'open' AND f ->> 'to' <> 'open'))[1] AS closed,
             coalesce(bool_or(a."type" = 'elicitation.edited'), false) AS is_edited,
             coalesce(bool_or(a."type" = 'elicitation.break-glass'), false) AS is_override
        FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
       WHERE a."elicitation_id" = e."id" AND a."type" LIKE 'elicitation.%') told
    LEFT JOIN LATERAL (
      SELECT min(r."at") AS at FROM "audit_entry" r
       WHERE r."type" = 'access.read' AND audit.entry(r."body") #>> '{about,0}' = e."id"
         AND audit.entry(r."body") #>> '{actor,id}' = told.closed #>> '{actor,id}' AND r."at" <= e."closed_at") seen ON true;
COMMENT ON COLUMN audit.decisions.approvers IS 'Everyone whose vote to approve counted, in their order; while it is open, as of now.';

CREATE OR REPLACE VIEW audit.votes AS
  SELECT v."id" AS vote, v."elicitation_id" AS request, s."name" AS server, e."tool",
         split_part(e."policy", '@', 1) AS policy, v."user_id" AS person, v."for_id" AS stands_in_for,
         v."revision", v."stage" + 1 AS stage, v."action" AS choice, e."opened_at" AS asked_at, seen."at" AS seen_at,
         v."at" AS voted_at, v."at" - seen."at" AS considered, told.ended_at AS void_at,
         coalesce(told.opened -> 'requesters' ?| ARRAY[v."user_id", v."for_id", told.voted ->> 'issuer'], false) AS by_requester,
         told.voted ->> 'factor' AS factor, coalesce(told.voted ->> 'channel', 'console') AS channel,
         told.voted ? 'keyMaker' AS by_key_maker,
         told.opened ->> 'requester' AS requester, told.opened ->> 'client' AS client
    FROM "vote" v JOIN "elicitation" e ON e."id" = v."elicitation_id" JOIN "server" s ON s."id" = e."server_id"
    CROSS JOIN LATERAL (
      SELECT (array_agg(f) FILTER (WHERE a."type" = 'elicitation.opened'))[1] AS opened,
             (array_agg(f) FILTER (WHERE f ->> 'vote' = v."id"))[1] AS voted,
             min(a."at") FILTER (WHERE a."at" >= v."at" AND CASE a."type"
               WHEN 'elicitation.vote-withdrawn' THEN (f ->> 'reopens')::int < v."stage"
                 OR f #>> '{actor,id}' = v."user_id" AND (f ->> 'stage')::int = v."stage"
               WHEN 'elicitation.votes-voided' THEN (f ->> 'reopens')::int < v."stage"
                 OR f ->> 'user' IN (v."user_id", v."for_id") AND coalesce((f ->> 'of')::int, v."stage") = v."stage"
               WHEN 'elicitation.escalated' THEN f ? 'restarts' AND (f ->> 'stage')::int = v."stage"
               WHEN 'elicitation.edited' THEN true END) AS ended_at
        FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
       WHERE a."elicitation_id" = v."elicitation_id" AND a."type" LIKE 'elicitation.%') told
    LEFT JOIN LATERAL (
      SELECT min(r."at") AS at FROM "audit_entry" r
       WHERE r."type" = 'access.read' AND audit.entry(r."body") #>> '{about,0}' = v."elicitation_id"
         AND audit.entry(r."body") #>> '{actor,id}' = v."user_id" AND r."at" <= v."at") seen ON true;
COMMENT ON COLUMN audit.votes.void_at IS 'When the vote was withdrawn or ceased to count: with an edit, a stage that began again, or the right to vote; null if it counted to the end.';

COMMENT ON VIEW audit.seats IS 'Who could vote on each request: the stages of its latest revision as they stood last, without those whom the policy excludes. Whom an escalation replaced before is not in it.';
