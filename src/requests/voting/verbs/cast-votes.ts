import { withDefaults } from '#platform/form/answer';
import type { Status, VoteAction } from '../../asking/contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import type { User, SignedInUser } from '#people/directory/contract/user';
import { invalidInput, Problem, type ProblemCode } from '#platform/model/problem';
import type { Refusal } from '../../inbox/contract/refusal.ts';
import type { ElicitationRow } from '../../state/store/row/row.ts';
import { castVote } from './cast-vote.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { visibleOf } from '../../inbox/verbs/visibility/visible-of.ts';
import { provenRow } from '../../state/verbs/proven-row.ts';
import { policyTerms } from '../../state/verbs/permissions/policy-terms.ts';
import { openQuestion } from '../../asking/verbs/question/sealed-question.ts';

interface BulkVote {
  /** Each with the digest of what the person saw. */
  items: { id: ElicitationId; digest: string }[];
  action: VoteAction;
  comment?: string | undefined;
}

interface BulkResult {
  id: ElicitationId;
  status: Status | null;
  /** Why this request got no vote; null if it did. */
  problem: { code: ProblemCode; detail: string; refusal?: Refusal } | null;
}

/**
 * Votes on several requests, each bound to what the person saw; returns each result. All can be declined together.
 * Only requests of one tool under one policy are approved together, and none of high risk or whose policy asks who approves.
 */
export async function castVotes(
  engine: Engine,
  user: User & Partial<SignedInUser>,
  { items, action, comment }: BulkVote,
): Promise<BulkResult[]> {
  const stored = await Promise.all(items.map(({ id }) => provenRow(engine, id)));
  const visible = await visibleOf(
    engine,
    user,
    stored.flatMap((row) => row ?? []),
    'content',
  );
  const rows = stored.map((row) => (row && visible.has(row.id) ? row : null));
  if (action === 'accept') assertAlike(rows);
  const results: BulkResult[] = [];
  for (const [at, { id, digest }] of items.entries()) {
    const row = rows[at];
    const vote = async (): Promise<ElicitationRow> => {
      if (!row) throw new Problem('not-found');
      if (action === 'accept' && row.risk === 'high')
        throw new Problem('forbidden', { refusal: { code: 'high-risk-alone' } });
      if (action === 'accept' && policyTerms(engine, row).presence.needed !== 'none')
        throw new Problem('forbidden', { refusal: { code: 'presence-alone' } });
      const { schema } = openQuestion(engine.ring, row);
      const content = action === 'accept' && schema ? { content: withDefaults(schema) } : {};
      return castVote(engine, user, id, { action, digest, comment, ...content });
    };
    results.push(await vote().then(({ status }) => ({ id, status, problem: null }), failed(id, row)));
  }
  return results;
}

function assertAlike(rows: (ElicitationRow | null)[]): void {
  const kinds = rows.flatMap((row) => (row ? [JSON.stringify([row.serverId, row.tool, row.policy])] : []));
  if (new Set(kinds).size < 2) return;
  const message = 'Choose requests of one tool under one policy.';
  throw invalidInput(['items'], message);
}

/** A Problem affects only its own request; any other error stops the rest. */
const failed =
  (id: ElicitationId, row: ElicitationRow | null | undefined) =>
  (error: unknown): BulkResult => {
    if (!(error instanceof Problem)) throw error;
    const detail = error.errors[0]?.message ?? error.message;
    const refusal = error.refusal === null ? {} : { refusal: error.refusal };
    return { id, status: row?.status ?? null, problem: { code: error.code, detail, ...refusal } };
  };
