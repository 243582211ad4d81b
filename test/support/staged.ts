import pg from 'pg';
import { sealVerdict } from '../../src/engine/elicitation/sealed-question.ts';
import type { PolicyTerms } from '../../src/engine/elicitation/policy-terms.ts';
import type { ElicitationInput } from '../../src/machine/context.ts';
import { begin, wakeAt } from '../../src/machine/step.ts';
import type { ElicitationId } from '../../src/model/id.ts';
import type { OpenedElicitation } from '../../src/contract/servers/elicitation.ts';
import type { Asking } from './asking.ts';
import type { TestServer } from './server.ts';

interface Staging extends Partial<ElicitationInput> {
  terms?: Partial<PolicyTerms>;
  parts?: Record<string, unknown>;
}

/** Asks, and gives what was asked these stages and terms, as a policy would have. */
export async function openStaged(
  { engine, databaseUrl }: Pick<TestServer, 'engine' | 'databaseUrl'>,
  asking: Asking,
  { terms, parts, ...input }: Staging,
): Promise<OpenedElicitation> {
  const opened = await asking.open(parts);
  const id = opened.id as ElicitationId;
  const row = await engine.reader.elicitation(id);
  if (!row) throw new TypeError('it was not opened');
  const { audience, mode, stages, openedAt, deadlineAt, onTimeout, notBefore, reminders } = row.state.context;
  const stored = { audience, mode, stages, openedAt, deadlineAt, onTimeout, notBefore, reminders };
  const { state } = begin({ ...stored, ...input });
  const values = [
    id,
    JSON.stringify({ value: state.value, context: state.context }),
    JSON.stringify(state.timers),
    new Date(wakeAt(state) ?? 0),
    new Date(state.context.deadlineAt),
    terms ? sealVerdict(engine.ring, row, terms) : row.explanation,
  ];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client
    .query(
      `UPDATE elicitation SET snapshot = $2, timers = $3, wake_at = $4, deadline_at = $5, explanation = $6
        WHERE id = $1`,
      values,
    )
    .finally(() => client.end());
  return { ...opened, deadlineAt: state.context.deadlineAt };
}
