import { voteChallenge } from '#audit/tree/rules/notes';
import { canonicalJson } from '#platform/crypto/digest';
import { sha256Hex } from '#platform/crypto/digest';
import { checkAssertion } from '#access/passkeys/rules';
import { freshFor, isFresh } from '#access/sign-in/contract/authentication';
import type { VoteAction } from '../../asking/contract/elicitation.ts';
import type { ElicitationId, PasskeyId, UserId } from '#platform/model/id';
import { isVouched, isVouchedFor, type Presence } from '#people/directory/contract/presence';
import { Problem } from '#platform/model/problem';
import type { DeviceSignature } from '../contract/bulk-vote/signed-vote.ts';
import type { SignedInUser, User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../state/store/row/row.ts';
import type { StoredPasskey } from '#access/passkeys/store';
import { currentElicitation } from '../../state/verbs/change/change.ts';
import type { PolicyTerms } from '../../state/verbs/permissions/policy-terms.ts';
import { assertFreshSignIn, assertSeen } from '../../state/verbs/permissions/assert-vote.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertVisible } from '../../inbox/verbs/visibility/visible-of.ts';
import { newChallenge, relyingParty, takeChallenge } from '#access/passkeys/verbs';
import { neededPresence } from '#access/passkeys/verbs';
import { maySign, signingPasskeys } from '#access/passkeys/verbs';
import { refusedPasskey, usePasskey } from '#access/passkeys/verbs';

/** The parts of a vote that its device signs, as its person sends them. */
interface VoteToSign {
  action: VoteAction;
  digest: string;
  for?: UserId | undefined;
  allowFor?: number | undefined;
}

type Voter = User & Partial<SignedInUser>;

/** Begins a signed vote, on the request as it is now, in this session. */
export async function beginSignedVote(
  engine: Engine,
  user: SignedInUser,
  secret: string,
  id: ElicitationId,
  vote: VoteToSign,
) {
  const row = await currentElicitation(engine, id);
  await assertVisible(engine, user, row, 'content');
  assertSeen(row, vote.digest);
  const party = relyingParty(engine);
  const passkeys = await signingPasskeys(engine, user);
  if (passkeys.length === 0) throw new Problem('passkey-needed');
  const nonce = await newChallenge(engine, 'vote', secret);
  return { party, nonce, challenge: challengeOf(row, user, vote, nonce), passkeys };
}

const challengeOf = ({ revision, state }: ElicitationRow, { id: voter }: User, vote: VoteToSign, nonce: string) =>
  voteChallenge({ ...vote, revision, stage: state.context.stage, voter, nonce });

/** What is kept of a vote that a device signed. */
interface StoredSignature {
  text: string;
  device: { passkey: PasskeyId; signature: string };
}

/**
 * Refuses an approval without the presence that it needs of this person, and every vote with a signature that does not hold.
 * A signature of the person's device is enough for all of them.
 * What a device signed counts once: a vote that lost a race and is decided again must still be what was signed.
 */
export type CheckPresence = (
  user: Voter,
  row: ElicitationRow,
  terms: Pick<PolicyTerms, 'presence'>,
  now: number,
) => Promise<StoredSignature | null>;

export function createPresence(
  engine: Engine,
  vote: VoteToSign & { device?: DeviceSignature | undefined },
): CheckPresence {
  const { device, action } = vote;
  let used: StoredPasskey | null = null;
  return async (user, row, { presence }, now) => {
    if (!device && action === 'accept') assertPresent(await neededPresence(engine, user, row, presence), user, now);
    if (!device) return null;
    const challenge = challengeOf(row, user, vote, device.nonce);
    if (used) await assertSignatureHolds(engine, device, challenge, used);
    else used = await firstUse(engine, user, device, challenge);
    const text = canonicalJson(device);
    return { text, device: { passkey: used.id, signature: sha256Hex(text) } };
  };
}

function assertPresent(needed: Presence, user: Voter, now: number): void {
  if (needed === 'none') return;
  if (needed === 'passkey') throw new Problem('passkey-needed');
  if (!isVouched(needed)) return assertFreshSignIn(user, freshFor, now);
  if (isFresh(user.authentication, freshFor, now) && isVouchedFor(needed, user.authentication)) return;
  throw new Problem('fresh-sign-in-needed', { refusal: { code: 'acr-needed', values: { acr: needed.acr } } });
}

async function firstUse(
  engine: Engine,
  user: Voter,
  { nonce, assertion }: DeviceSignature,
  challenge: string,
): Promise<StoredPasskey> {
  const isOurs = user.proof && (await takeChallenge(engine, nonce, 'vote', user.proof.hash));
  if (!isOurs) throw refusedPasskey('passkey-challenge');
  const { passkey } = await usePasskey(engine, assertion, challenge, user.id);
  if (!maySign(passkey, user)) throw refusedPasskey('passkey-unknown', passkey);
  return passkey;
}

async function assertSignatureHolds(
  engine: Engine,
  { assertion }: DeviceSignature,
  challenge: string,
  passkey: StoredPasskey,
): Promise<void> {
  if (!(await engine.passkeys.byCredential(assertion.credentialId))) throw refusedPasskey('passkey-unknown', passkey);
  const { publicKey } = passkey;
  const checked = await checkAssertion(assertion, { challenge, party: relyingParty(engine), publicKey });
  if ('fault' in checked) throw refusedPasskey(checked.fault, passkey);
}
