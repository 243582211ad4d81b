-- A vote counts for who issued the credential it was cast with as well, and ends with them: the log names that person alone.
-- Reviewers see how the voter had signed in, and what signed the vote.

CREATE OR REPLACE VIEW audit.votes AS
  SELECT v."id" AS vote, v."elicitation_id" AS request, s."name" AS server, e."tool",
         split_part(e."policy", '@', 1) AS policy, v."user_id" AS person, v."for_id" AS stands_in_for,
         v."revision", v."stage" + 1 AS stage, v."action" AS choice, e."opened_at" AS asked_at, seen."at" AS seen_at,
         v."at" AS voted_at, v."at" - seen."at" AS considered, ended."at" AS void_at,
         coalesce(told.opened -> 'requesters' ?| ARRAY[v."user_id", v."for_id", told.voted ->> 'issuer'], false) AS by_requester,
         told.voted ->> 'factor' AS factor, coalesce(told.voted ->> 'channel', 'console') AS channel,
         told.voted ? 'keyMaker' AS by_key_maker,
         told.opened ->> 'requester' AS requester, told.opened ->> 'client' AS client,
         told.voted ->> 'issuer' AS issuer, told.voted ->> 'assurance' AS assurance,
         to_timestamp((told.voted ->> 'authenticatedAt')::bigint / 1000.0) AS authenticated_at,
         told.voted ->> 'acr' AS acr, told.voted #>> '{device,passkey}' AS passkey
    FROM "vote" v JOIN "elicitation" e ON e."id" = v."elicitation_id" JOIN "server" s ON s."id" = e."server_id"
    CROSS JOIN LATERAL (
      SELECT (array_agg(f) FILTER (WHERE a."type" = 'elicitation.opened'))[1] AS opened,
             (array_agg(f) FILTER (WHERE f ->> 'vote' = v."id"))[1] AS voted
        FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
       WHERE a."elicitation_id" = v."elicitation_id" AND a."type" IN ('elicitation.opened', 'elicitation.voted')) told
    CROSS JOIN LATERAL (
      SELECT min(a."at") FILTER (WHERE CASE a."type"
               WHEN 'elicitation.vote-withdrawn' THEN (f ->> 'reopens')::int < v."stage"
                 OR f #>> '{actor,id}' = v."user_id" AND (f ->> 'stage')::int = v."stage"
               WHEN 'elicitation.votes-voided' THEN (f ->> 'reopens')::int < v."stage"
                 OR f ->> 'user' IN (v."user_id", v."for_id", told.voted ->> 'issuer') AND coalesce((f ->> 'of')::int, v."stage") = v."stage"
               WHEN 'elicitation.escalated' THEN f ? 'restarts' AND (f ->> 'stage')::int = v."stage"
               WHEN 'elicitation.edited' THEN true END) AS at
        FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
       WHERE a."elicitation_id" = v."elicitation_id" AND a."at" >= v."at" AND a."type" LIKE 'elicitation.%') ended
    LEFT JOIN LATERAL (
      SELECT min(r."at") AS at FROM "audit_entry" r
       WHERE r."type" = 'access.read' AND audit.entry(r."body") #>> '{about,0}' = v."elicitation_id"
         AND audit.entry(r."body") #>> '{actor,id}' = v."user_id" AND r."at" <= v."at") seen ON true;
COMMENT ON COLUMN audit.votes.issuer IS 'The administrator who issued the credential it was cast with; null if the voter did.';
COMMENT ON COLUMN audit.votes.assurance IS 'What the sign-in had proven of the voter; null in chat.';
COMMENT ON COLUMN audit.votes.authenticated_at IS 'When the voter had last proven who they are; null in chat.';
COMMENT ON COLUMN audit.votes.acr IS 'What the identity provider vouched for.';
COMMENT ON COLUMN audit.votes.passkey IS 'The passkey that signed the vote; null if none did.';
