import { newOneTimeSecret } from '#core/crypto/one-time-secret';
import { isVisited } from '#core/machine/step';
import type { Identity } from '#protocol/model/identity';
import type { User } from '#protocol/model/user';
import { Problem } from '#protocol/model/problem';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { identitiesOf } from '#core/policy/terms/directory';
import { requesterProof } from './internal/requester-proof.ts';
import { openQuestion } from '../elicitation/sealed-question.ts';

/** Tries of the code, over all browsers and nodes. The database refuses more. */
export const maxAttempts = 5;

/** What the opener shows: the digits they typed, and who is signed in at the console in the same browser. */
interface Shown {
  code?: string | undefined;
  user: User | null;
}

type Proving =
  | { isProven: true; secret: string }
  /** `triesLeft`: how many tries of the code remain; null if the proof is another one. */
  | { isProven: false; triesLeft: number | null };

/** Lets this browser in as the requester's if the evidence is valid, and records the visit. */
export async function proveRequester(
  engine: Engine,
  row: ElicitationRow,
  { code, user: opener }: Shown,
): Promise<Proving> {
  const proof = requesterProof(engine.publicUrl(), openQuestion(engine.ring, row));
  // Counted before it is checked, so that parallel tries get no advantage.
  const count = proof.way === 'code' ? await engine.pageProofs.countAttempt(row.id, maxAttempts) : 0;
  if (count === null) return { isProven: false, triesLeft: 0 };
  if (!proof.isGivenBy({ code, names: await namesOf(engine, opener) }))
    return { isProven: false, triesLeft: proof.way === 'code' ? maxAttempts - count : null };
  const user = proof.way === 'session' ? opener : null;
  const { secret, hash } = newOneTimeSecret();
  if (!(await letIn(engine, row, hash, user))) return { isProven: false, triesLeft: 0 };
  await recordVisit(engine, row, user);
  return { isProven: true, secret };
}

async function namesOf({ users }: Engine, user: User | null): Promise<Identity[]> {
  const stored = user && (await users.namesOf(user.id));
  return stored ? identitiesOf(stored) : [];
}

async function letIn(engine: Engine, { id }: ElicitationRow, hash: Buffer, user: User | null): Promise<boolean> {
  if (!user) return engine.pageProofs.letInOnce(id, hash, engine.now());
  await engine.pageProofs.letInUser(id, hash, user.id, engine.now());
  return true;
}

const recordVisit = (engine: Engine, { id }: ElicitationRow, user: User | null): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    if (row.status !== 'open') throw new Problem('token-invalid');
    if (isVisited(row.state)) return null;
    return {
      actor: user ? { kind: 'user', id: user.id } : { kind: 'requester' },
      event: { type: 'visit', at: now },
      says: (fields) => ({ type: 'elicitation.visited', channel: 'page', ...fields }),
    };
  });
