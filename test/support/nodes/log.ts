import type pg from 'pg';
import { createSequencer } from '#audit/tree/verbs';
import { verifyLog, type VerifyLogRequest } from '#audit/verify/verbs/verify-log';
import type { SealedEntry } from '#audit/entries/rules/evidence';
import { entryTable } from '#audit/entries/store/entries';
import type { Store } from '#platform/database/store';
import { entryOf } from '../databases/rows.ts';
import { testEvidence, testRing } from '../audit/evidence.ts';

export { testRing } from '../audit/evidence.ts';

type LogStore = Pick<Store, 'merkleLog' | 'readLog'>;

/** As a node does, until nothing waits. */
export async function sequenceAll({ merkleLog }: Pick<LogStore, 'merkleLog'>, ring = testRing): Promise<void> {
  const sequence = createSequencer({ merkleLog, ring });
  while ((await sequence()) || (await merkleLog.isWaiting()));
}

/** What is wrong with the log, or null. */
export const verify = (
  { readLog }: Pick<LogStore, 'readLog'>,
  request: Partial<VerifyLogRequest> = {},
  ring = testRing,
) => verifyLog({ readLog, ring }, { keys: [], kept: [], ...request });

/** One statement that writes this many entries. */
export const writeEntries = (count: number, client: Pick<pg.Client, 'query'>): Promise<void> =>
  insertSealed(
    client,
    Array.from({ length: count }, () => testEvidence.seal(entryOf(), {})),
  );

/** One statement that writes these. */
export async function insertSealed(client: Pick<pg.Client, 'query'>, entries: SealedEntry[]): Promise<void> {
  await client.query(insert, [JSON.stringify(entries.map(entryTable.toJson))]);
}

const insert = `INSERT INTO audit_entry (id, at, type, elicitation_id, body, leaf_hash, mac)
  SELECT id, to_timestamp(at / 1000.0), type, elicitation_id, decode(body, 'base64'), decode(leaf_hash, 'base64'),
      decode(mac, 'base64')
    FROM jsonb_to_recordset($1::jsonb) AS entry(
      id text, at bigint, type text, elicitation_id text, body text, leaf_hash text, mac text)`;
