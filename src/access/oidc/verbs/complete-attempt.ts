import { attemptOf, type SignInAttempt } from '../../sign-in/rules.ts';
import type { IdentityProvider, ProvenIdentity, SignInProvider } from '../contract/identity-provider.ts';
import { signInSteps } from '../../factors/contract/factor-rule.ts';
import { SignInProblem, type SignInReason } from '../../sign-in/contract/problem.ts';
import type { SignedInUser, User } from '#people/directory/contract/user';
import type { StoredAttempt } from '../store.ts';
import {
  confirmSession,
  startSession,
  userOfSession,
  type Proven,
  type SignedInSession,
  type SignInPlace,
} from '../../sign-in/verbs/sessions.ts';
import { addByRule, providerOf, redirectUri, type FederationEngine, keepAddress, syncGroups } from './sign-in.ts';
import { connectIdentity, identityHash, connected } from './identities.ts';
import { scimClaimOf, claimValueOf, provisionedBy, type ProvisionedRecord } from '../../scim/verbs/users.ts';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import { changeDirectory } from '#people/directory/verbs/directory';

/** Someone who came back from a provider. */
interface Returned {
  /** The secret in their browser; undefined if it kept none. */
  secret: string | undefined;
  /** The query of the address, as it arrived. */
  search: URLSearchParams;
  place: SignInPlace;
}

export interface CompletedAttempt {
  /** The session to go on with; null if it stays as it is. */
  session: SignedInSession | null;
  /** A path of the console. */
  returnTo: string;
  /**
   * Why nothing has come of it, with the problem at the provider or in its settings if there was one, and a keyed hash for
   * who it was; null if something has.
   */
  refused: { reason: SignInReason; about: string[]; problem?: SignInProblem } | null;
}

/** Milliseconds by which the clock of a provider may be behind. */
const toleranceMs = 10_000;

/**
 * Takes the answer of a provider, once, in the browser that was sent there. It signs in the person who has this identity;
 * or whom the provider provisions under a claim of it; or who is added by the provider's rule; or proves it again of who is signed in; or connects it with them. An address alone
 * never says who someone is.
 */
export async function completeAttempt(
  engine: FederationEngine,
  key: string,
  { secret, search, place }: Returned,
): Promise<CompletedAttempt> {
  const provider = providerOf(engine, key);
  const ours = await takeAttempt(engine, key, secret, search);
  const about: string[] = [];
  if (!ours) return { session: null, returnTo: '/', refused: { reason: 'sign-in-outdated', about } };
  const { attempt, stored } = ours;
  const { returnTo } = stored;
  try {
    const identity = await provider.redeem(new URL(`${redirectUri(engine, key)}?${search}`), attempt);
    about.push(identityHash(engine, identity));
    return { session: await complete(engine, provider, stored, identity, place), returnTo, refused: null };
  } catch (error) {
    if (!(error instanceof SignInProblem)) throw error;
    const isOfPerson = error.code === 'forbidden'; // all others are of the provider or of its settings
    return {
      session: null,
      returnTo,
      refused: { reason: error.reason, about, ...(!isOfPerson && { problem: error }) },
    };
  }
}

/** The state is compared before anything is used up, so that a forged answer ends no sign-in. */
async function takeAttempt(
  { federation, now }: FederationEngine,
  key: string,
  secret: string | undefined,
  search: URLSearchParams,
): Promise<{ attempt: SignInAttempt; stored: StoredAttempt } | null> {
  const attempt = secret === undefined ? null : attemptOf(secret);
  const isOurs = attempt !== null && search.get('state') === attempt.state;
  const stored = isOurs ? await federation.takeAttempt(attempt.hash, now()) : null;
  return attempt && stored?.provider === key ? { attempt, stored } : null;
}

async function complete(
  engine: FederationEngine,
  { settings }: IdentityProvider,
  stored: StoredAttempt,
  identity: ProvenIdentity,
  place: SignInPlace,
): Promise<SignedInSession | null> {
  if (stored.purpose === 'sign-in') return signIn(engine, settings, identity, place);
  // A session whose second factor is missing proves its person here, and connects nothing.
  const openAt = stored.purpose === 'confirm' ? signInSteps : [];
  const user = stored.sessionId && (await userOfSession(engine, stored.sessionId, openAt));
  if (!user) throw new SignInProblem('sign-in-outdated');
  assertFreshProof(identity, stored);
  const owner = await engine.federation.identity(identity);
  const isElsewhere = (user.authentication.provider ?? identity.issuer) !== identity.issuer;
  if (stored.purpose === 'connect') {
    if (owner) throw new SignInProblem('identity-taken');
    await connectIdentity(engine, user, identity, stored.createdAt);
    await keepAddress(engine, settings, user.id, identity.claims);
    // The session stays one of the provider where it began, so that this provider still ends it.
    if (isElsewhere) return null;
    return confirm(engine, user, identity);
  }
  if (isElsewhere || owner?.userId !== user.id) throw new SignInProblem('other-person');
  const session = await confirm(engine, user, identity);
  await keepAddress(engine, settings, user.id, identity.claims);
  // Someone who proves who they are for a vote has the groups that the provider says now.
  await syncGroups(engine, settings, user.id, identity.claims);
  return session;
}

async function signIn(
  engine: FederationEngine,
  settings: SignInProvider,
  identity: ProvenIdentity,
  place: SignInPlace,
): Promise<SignedInSession> {
  const owner = await engine.federation.identity(identity);
  if (owner?.isDisabled) throw new SignInProblem('access-ended');
  const user = owner
    ? await engine.users.byId(owner.userId)
    : ((await joinProvisioned(engine, settings, identity)) ?? (await addByRule(engine, settings, identity)));
  if (!user) throw new SignInProblem('access-ended');
  // Each sign-in asks for it by "max_age".
  engine.health.hearProvider(settings.name, identity.authenticatedAt !== null);
  const session = await startSession(engine, user, provenAt(engine, identity), { place });
  if (!session) throw new SignInProblem('access-ended');
  // Only now: a forged row of an identity opens no session, and must give nothing to the person it names either.
  await keepAddress(engine, settings, user.id, identity.claims);
  await syncGroups(engine, settings, user.id, identity.claims);
  const scimClaim = settings.scim && scimClaimOf(settings.scim, identity.claims[settings.scim.claim]);
  if (scimClaim) await engine.federation.noteClaim(identity, scimClaim);
  return session;
}

const confirm = (engine: FederationEngine, user: SignedInUser & User, identity: ProvenIdentity) =>
  user.proof ? confirmSession(engine, user, user.proof.hash, provenAt(engine, identity)) : null;

/** Without a time from the provider the proof counts as old: the person proves it again where that matters. */
const provenAt = (
  { now }: FederationEngine,
  { issuer, subject, sid, assurance, acr, authenticatedAt }: ProvenIdentity,
): Proven => ({
  method: 'oidc',
  assurance,
  acr: acr ?? undefined,
  at: Math.min(authenticatedAt ?? 0, now()),
  identity: { issuer, subject, sid },
});

/** The provider must say that it has asked the person since they were sent there. */
function assertFreshProof({ authenticatedAt }: ProvenIdentity, { createdAt }: StoredAttempt): void {
  if (authenticatedAt === null || authenticatedAt < createdAt - toleranceMs) throw new SignInProblem('not-proven-now');
}

/**
 * Connects an identity that no one has with the person whom its provider provisions under the same value of the claim that
 * the settings name; null if there is no such person. They are the provider's own, and an address has no part in it.
 */
async function joinProvisioned(
  engine: FederationEngine,
  { issuer, scim }: SignInProvider,
  { subject, claims }: ProvenIdentity,
): Promise<User | null> {
  const value = scim && claims[scim.claim];
  if (typeof value !== 'string') return null;
  const personIn = (directory: DirectoryRecord): ProvisionedRecord | undefined =>
    provisionedBy(directory, issuer).find(({ provisioned }) => claimValueOf(scim!, provisioned) === value);
  const person = personIn(await engine.directory.read());
  if (!person) return null;
  if (person.disabledAt !== null) throw new SignInProblem('access-ended');
  const at = engine.now();
  await changeDirectory(engine, { kind: 'provider', issuer }, (directory) => {
    const current = personIn(directory);
    if (current?.id !== person.id || current.identities.some((identity) => identity.issuer === issuer))
      throw new SignInProblem('identity-taken');
    return connected(engine, person.id, { issuer, subject }, { directory, by: null, at });
  });
  return engine.users.byId(person.id);
}
