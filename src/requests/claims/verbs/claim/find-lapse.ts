import type { ElicitationId, GrantId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { Lapse, CurrentRules } from '#policies/deciding/rules/standing';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Lapsed } from '../../store/tool-call.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { requestersOf } from '../../../asking/verbs/requester/requesters.ts';
import { lapseOf } from '../../../state/verbs/change/revalidate.ts';
import { doesGrantStand } from '../../../grants/verbs/use-grant.ts';

/** What the log says of a lapse: on which request, and why. */
export interface FoundLapse {
  elicitation: ElicitationId;
  user?: UserId;
  deniedBy?: string;
  grant?: GrantId;
}

/**
 * The first of these accepted questions whose approval is no longer valid, if any, and the grants the others rest on.
 */
export async function findLapse(
  engine: Engine,
  rows: readonly ElicitationRow[],
  present: CurrentRules,
): Promise<{ lapse: FoundLapse | null; grants: GrantId[] }> {
  const accepted = rows.filter(({ status }) => status === 'accepted');
  const grants: GrantId[] = [];
  for (const row of accepted) {
    const lapse = lapseOf(engine, row, present, engine.now());
    if (lapse) return { lapse: foundLapse(row, lapse), grants };
    const grant = row.state.context.grant as GrantId | undefined;
    if (grant === undefined) continue;
    if (!(await isInForce(engine, row, grant, present))) return { lapse: { elicitation: row.id, grant }, grants };
    grants.push(grant);
  }
  return { lapse: null, grants };
}

const foundLapse = ({ id }: ElicitationRow, lapse: Lapse): FoundLapse => {
  if (lapse.because === 'policy') return { elicitation: id, deniedBy: lapse.policy };
  return { elicitation: id, ...(lapse.user !== null && { user: lapse.user as UserId }) };
};

/** Is it still, for this request? */
async function isInForce(engine: Engine, row: ElicitationRow, id: GrantId, present: CurrentRules): Promise<boolean> {
  const grant = await engine.grants.find(id);
  if (!grant || grant.revokedAt !== null || grant.suspendedAt !== null) return false;
  const askers = requestersOf(engine, row, present);
  return doesGrantStand(engine, grant, { askers, present, now: engine.now() });
}

/** The sentence for the attempt that wants to run it. */
export const lapsedCall = (lapse: Lapsed): Problem => new Problem('approval-lapsed', { detail: sentences[lapse] });

const sentences = {
  lapsed: 'Ask again: this approval would no longer be given by the same people and policies. It releases nothing.',
  revoked: 'Ask again: this approval was revoked before it was used. It releases nothing.',
};
