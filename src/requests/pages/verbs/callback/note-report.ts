import { auditEntry } from '#audit/entries/rules/entry';
import { requestProgress } from '#audit/entries/rules/events';
import { canonicalJson } from '#platform/crypto/digest';
import { sha256Hex } from '#platform/crypto/digest';
import { lookupHash } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { cells } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';

/**
 * Writes down a report that was not taken, because it came late or does not fit: money may have moved. What it says is
 * sealed with the request. The same report again is written once, and of one request only so many.
 */
export async function noteReport(
  engine: Engine,
  row: ElicitationRow,
  { type, report }: { type: 'callback.late' | 'callback.unfit'; report: object },
): Promise<void> {
  const text = canonicalJson(report);
  const body = cells.report.seal(engine.ring, row, row.id, report);
  const at = timeAfter(engine, row.state.context.now);
  const says = { type, said: sha256Hex(body), elicitation: row.id, ...requestProgress(row, at) } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'service' }, says);
  const hash = lookupHash(engine.ring, 'idempotency', 'callback-report', row.id, text);
  await engine.callbackReports.add({ elicitation: row.id, hash, isLate: type === 'callback.late', body, at }, entry);
}
