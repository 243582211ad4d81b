-- Those that other indexes have taken the place of. Where the time stands alone, the id stays: to an index of one column PostgreSQL
-- gives a cost so low that it would read all requests by their time to find those of a rare tool.
DROP INDEX "elicitation_risk_idx", "elicitation_status_closed_at_id_idx", "elicitation_server_id_closed_at_id_idx",
  "elicitation_tool_closed_at_id_idx", "elicitation_policy_closed_at_id_idx", "elicitation_requester_closed_at_id_idx",
  "elicitation_kept_idx";
