import { auditEntry } from '#audit/entries/rules/entry';
import { requestProgress } from '#audit/entries/rules/events';
import { hashSecret, newOneTimeSecret } from '#platform/crypto/random';
import { newId } from '#platform/crypto/random';
import { isVisited } from '../../../machine/rules/step/step.ts';
import { identitiesOf } from '#policies/document/rules/directory';
import type { Identity } from '#platform/model/identity';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';
import type { PageLink } from '../callback/elicitation-by-token.ts';
import { isKnownBrowser, lockOf, triesLeft, tryLimits, type CodeLock } from '../proof/code-tries.ts';
import { pageProofOf } from '../proof/page-code.ts';

/** What the opener shows: the digits they typed, and who is signed in at the console in the same browser. */
interface Shown {
  code?: string | undefined;
  user: User | null;
  link: PageLink;
  /** Of this browser. */
  secret: string;
}

export type Proving = { isProven: true; secret: string } | Unproven;

/** `triesLeft`: how many tries of the code this browser has; null if the proof is another one. */
export interface Unproven {
  isProven: false;
  triesLeft: number | null;
  lock: CodeLock | null;
}

/** Lets this browser in as the requester's, in the place of any other, if the evidence is valid. Records the visit. */
export async function proveRequester(
  engine: Engine,
  row: ElicitationRow,
  { code, user: opener, link, secret: former }: Shown,
): Promise<Proving> {
  const { way } = pageProofOf(engine, row, null);
  // Counted before it is checked, so that parallel tries get no advantage.
  if (way === 'code' && !(await countTry(engine, link, former))) return showTries(engine, link, former);
  const proof = pageProofOf(engine, row, await engine.pageProofs.find(row.id));
  if (!proof.isGivenBy({ code, names: await namesOf(engine, opener) }))
    return way === 'code' ? showTries(engine, link, former) : { isProven: false, triesLeft: null, lock: null };
  const user = way === 'session' ? opener : null;
  const { secret, hash } = newOneTimeSecret();
  await admit(engine, row, hash, user);
  await recordVisit(engine, row, user);
  return { isProven: true, secret };
}

/** Counts a try at a link whose request has ended as at any other, so that its page looks the same. */
export async function tryInVain(engine: Engine, link: PageLink, secret: string): Promise<Unproven> {
  await countTry(engine, link, secret);
  return showTries(engine, link, secret);
}

async function countTry(engine: Engine, link: PageLink, secret: string): Promise<boolean> {
  const isKnown = isKnownBrowser(await engine.pageProofs.find(link.elicitation), secret);
  return engine.pageTries.count(placeOf(link, secret), tryLimits, { isKnown, now: engine.now() });
}

async function showTries(engine: Engine, link: PageLink, secret: string): Promise<Unproven> {
  const isKnown = isKnownBrowser(await engine.pageProofs.find(link.elicitation), secret);
  const counts = await engine.pageTries.at(placeOf(link, secret));
  const as = { isKnown, now: engine.now() };
  return { isProven: false, triesLeft: triesLeft(counts, as), lock: lockOf(counts, as) };
}

/** What keeps this browser from trying a code at this link; null if nothing does. */
export const findLock = async (engine: Engine, link: PageLink, secret: string): Promise<CodeLock | null> =>
  (await showTries(engine, link, secret)).lock;

const placeOf = (link: PageLink, secret: string) => ({ ...link, browserHash: hashSecret(secret) });

async function namesOf({ users }: Engine, user: User | null): Promise<Identity[]> {
  const stored = user && (await users.namesOf(user.id));
  return stored ? identitiesOf(stored) : [];
}

/** The first browser, or one that takes the page over from another. If several race, each does, and the last one stays. */
async function admit(engine: Engine, row: ElicitationRow, sessionHash: Buffer, user: User | null): Promise<void> {
  const at = timeAfter(engine, row.state.context.now);
  const admission = { elicitation: row.id, sessionHash, userId: user?.id ?? null, at };
  if (await engine.pageProofs.letIn(admission)) return;
  const says = { type: 'page.moved', elicitation: row.id, ...requestProgress(row, at) } as const;
  await engine.pageProofs.replace(admission, auditEntry(newId('entry'), at, actorFor(user), says));
}

const actorFor = (user: User | null) =>
  user ? ({ kind: 'user', id: user.id } as const) : ({ kind: 'requester' } as const);

const recordVisit = (engine: Engine, { id }: ElicitationRow, user: User | null): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    if (row.status !== 'open') throw new Problem('token-invalid');
    if (isVisited(row.state)) return null;
    return {
      actor: actorFor(user),
      event: { type: 'visit', at: now },
      says: (fields) => ({ type: 'elicitation.visited', channel: 'page', ...fields }),
    };
  });
