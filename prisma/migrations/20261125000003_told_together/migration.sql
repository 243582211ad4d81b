-- One entry tells of everyone who was told of a request at the same time in the same way; reviewers see a row for each.
CREATE OR REPLACE VIEW audit.deliveries AS
  SELECT a."id" AS entry, a."at", a."elicitation_id" AS request, f ->> 'serverName' AS server, f ->> 'tool' AS tool,
         split_part(f ->> 'policy', '@', 1) AS policy, f ->> 'channel' AS channel, f ->> 'kind' AS kind,
         told.one ->> 'user' AS person, told.one ->> 'target' AS target, a."type" = 'notification.sent' AS arrived,
         (told.one ->> 'failures')::int AS failures, told.one ->> 'fault' AS fault
    FROM "audit_entry" a CROSS JOIN LATERAL audit.entry(a."body") AS f
    CROSS JOIN LATERAL jsonb_array_elements(jsonb_build_array(f) || coalesce(f -> 'others', '[]')) AS told(one)
   WHERE a."type" LIKE 'notification.%';
COMMENT ON COLUMN audit.deliveries.entry IS 'The entry of the log, which may tell of several.';
