import { canonicalJson } from '#platform/crypto/digest';
import type { KeyRing } from '#platform/crypto/key-ring';
import { principalHash } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { minus } from '#platform/model/decimal';
import type { UserId } from '#platform/model/id';
import { identityKey } from '#platform/model/identity';
import type { Requester } from '#people/directory/contract/user';
import { invalidInput } from '#platform/model/problem';
import type { GrantTerms } from '#policies/terms/grant';
import type { ElicitationRow, NewGrant } from '../../state/store/row/row.ts';
import type { GrantBinding } from '../../state/verbs/intent/grant-binding.ts';
import { cells, openQuestion } from '../../asking/verbs/question/sealed-question.ts';

/**
 * The standing approval an approver gives with an approval, within the limits of the policy. If the policy names no
 * arguments that must stay the same, all of them must. INVALID_INPUT if the policy permits none, or not for so long.
 */
export function newGrant(
  ring: KeyRing,
  row: ElicitationRow,
  by: UserId,
  allowed: GrantTerms | null,
  seconds: number,
  now: number,
): NewGrant {
  const wrong = (message: string) => invalidInput(['allowFor'], message);
  const { requester, arguments: stored, tool } = openQuestion(ring, row);
  if (!allowed) throw wrong(formatNone(requester, row));
  if (seconds > allowed.longest)
    throw wrong(`Choose a shorter time: the policy permits ${allowed.longest} milliseconds at most.`);
  const args = JSON.parse(stored) as Record<string, unknown>;
  const counts = allowed.budget?.argument ?? null;
  const binding = bindingOf(requester, args, allowed, counts);
  const spent = counts === null ? 0 : amountIn(args, counts);
  const total = allowed.budget?.total ?? null;
  if (spent === null || (total !== null && spent > total))
    throw wrong('Approve this once only: this request alone exceeds the budget.');
  const id = newId('grant');
  return {
    id,
    serverId: row.serverId,
    tool: row.tool,
    toolSchema: tool.schemaDigest,
    requesterHash: principalHash(ring, row.serverId, requester),
    terms: cells.grant.seal(ring, row, id, binding),
    userId: by,
    policy: row.policy,
    expiresAt: now + seconds,
    reviewAt: allowed.review === null ? null : now + allowed.review,
    usesLeft: allowed.uses,
    budgetLeft: total === null ? null : minus(total, spent),
  };
}

const formatNone = ({ verified }: Requester, { risk }: ElicitationRow): string =>
  verified || risk === 'low'
    ? 'Approve this once only: the policy permits no standing approval.'
    : 'Approve this once only: the requester is not verified, and the risk is not low.';

function bindingOf(
  { subject, issuer = null, verified, verifiedBy = null, client }: Requester,
  args: Record<string, unknown>,
  { same, review }: GrantTerms,
  counts: string | null,
): GrantBinding {
  const isWhole = same.length === 0;
  const names = isWhole ? Object.keys(args).filter((name) => name !== counts) : same;
  // An absent argument must stay absent.
  const bound = Object.fromEntries(names.map((name) => [name, args[name] ?? null]));
  return { subject, issuer, verified, verifiedBy, agent: client?.name ?? null, same: bound, isWhole, counts, review };
}

/** The amount of the budget this request would use, or null if it does not fit the binding. */
export function amountWithin(
  binding: GrantBinding,
  requester: Requester,
  args: Record<string, unknown>,
): number | null {
  const { subject, issuer, verified, verifiedBy, agent, same, isWhole, counts } = binding;
  if (identityKey(requester) !== identityKey({ issuer, subject })) return null;
  if (requester.verified !== verified || (requester.verifiedBy ?? null) !== verifiedBy) return null;
  if ((requester.client?.name ?? null) !== agent) return null;
  const isSame = Object.entries(same).every(
    ([name, value]) => canonicalJson(args[name] ?? null) === canonicalJson(value),
  );
  const isMore = isWhole && Object.keys(args).some((name) => name !== counts && !Object.hasOwn(same, name));
  if (!isSame || isMore) return null;
  return counts === null ? 0 : amountIn(args, counts);
}

function amountIn(args: Record<string, unknown>, name: string): number | null {
  const amount = args[name];
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : null;
}
