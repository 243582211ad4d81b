import pg from 'pg';

/** What the database holds when all is over. */
export interface FinalState {
  requests: { id: string; status: string }[];
  votes: { id: string; user: string; action: string }[];
  calls: { id: string; state: string; attempt: string | null }[];
  /** Entries of the log that tell of a claim, by the call's id. */
  claims: { toolCall: string; attempt: string }[];
  /** What `assentry audit verify` finds wrong; null if nothing. */
  fault: string | null;
  /** Entries that have no place in the log yet. */
  waiting: number;
}

/** Reads the rows; `verified` is what the verification of the log said. */
export async function readFinalState(
  url: string,
  verified: Pick<FinalState, 'fault' | 'waiting'>,
): Promise<FinalState> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rowsOf = async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[];
  try {
    return {
      requests: await rowsOf('SELECT id, status FROM elicitation'),
      votes: await rowsOf('SELECT elicitation_id AS id, user_id AS user, action FROM vote'),
      calls: await rowsOf('SELECT id, state, attempt FROM tool_call'),
      claims: await rowsOf(`
        SELECT subject_id AS "toolCall", convert_from(body, 'UTF8')::jsonb ->> 'attempt' AS attempt
          FROM audit_entry WHERE type = 'call.claimed'`),
      ...verified,
    };
  } finally {
    await client.end();
  }
}
