import { policyPin } from '#policies/contract/policy';
import type { PublishedPolicy } from '#policies/deciding/rules/book';
import type { EndedContent } from '../../store/contents.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { RulesSnapshot } from '#policies/deciding/verbs/rules/rules';
import type { StoredPassedCall } from '../../store/passed-calls.ts';
import { destroyKeys } from './destroy-keys.ts';
import { chooseErased } from './erase-passed.ts';
import { keptByHolds } from '../holds/kept-by-holds.ts';

/** Requests whose content is erased in one commit. */
const batchSize = 100;

/**
 * Erases the content that the published version of its policy keeps no longer, except what a hold keeps or something
 * still needs, and the arguments of calls that it let pass; resolves with the number of requests and calls. Two people publish a policy, so two have decided it.
 */
export async function eraseOutlived(engine: Engine): Promise<number> {
  const snapshot = await engine.rules.snapshot();
  const { published } = await snapshot.rules();
  let erased = 0;
  for (const policy of published) {
    erased += await eraseUnder(engine, snapshot, policy);
    erased += await erasePassedUnder(engine, snapshot, policy);
  }
  return erased;
}

async function eraseUnder(
  engine: Engine,
  { epoch }: RulesSnapshot,
  { document: { policy: name, keep }, version }: PublishedPolicy,
): Promise<number> {
  if (keep === null) return 0;
  const by = { actor: { kind: 'policy', policy: policyPin(name, version) }, ground: 'policy', epoch } as const;
  const before = engine.now() - keep;
  let erased = 0;
  for (let after: EndedContent | null = null; ;) {
    const ended: EndedContent[] = await engine.contents.endedUnder(name, before, after, batchSize);
    const ids = ended.map(({ id }) => id);
    if (ids.length > 0) erased += (await destroyKeys(engine, ids, by)).erased;
    if (ids.length < batchSize) return erased;
    after = ended.at(-1) ?? null;
  }
}

async function erasePassedUnder(
  engine: Engine,
  { epoch }: RulesSnapshot,
  { document: { policy, keep }, version }: PublishedPolicy,
): Promise<number> {
  if (keep === null) return 0;
  const at = engine.now();
  const reason = { actor: { kind: 'policy', policy: policyPin(policy, version) }, ground: 'policy', at } as const;
  let erased = 0;
  for (let after: StoredPassedCall | null = null; ;) {
    const batch: Awaited<ReturnType<Engine['passedCalls']['eraseUnder']>> = await engine.passedCalls.eraseUnder(
      { policy, before: at - keep, after, epoch },
      async (calls, inForce) => chooseErased(calls, await keptByHolds(engine, inForce), reason),
    );
    erased += batch.erased;
    if (batch.last === null) return erased;
    after = batch.last;
  }
}
