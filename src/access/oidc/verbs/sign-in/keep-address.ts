import type { UserChange } from '#audit/entries/rules/events/user-event';
import { foldSubject } from '#platform/model/identity';
import type { UserId } from '#platform/model/id';
import { mayVouchFor, verifiedByOf, type SignInProvider } from '../../contract/identity-provider/sign-in-provider.ts';
import type { UserRecord } from '#people/directory/store/directory-record/directory-record';
import type { UserSettings } from '#people/directory/store/tables/directory-write';
import { changeDirectory } from '#people/directory/verbs/directory/change-directory';
import { userIn } from '#people/directory/verbs/directory/in-directory';
import { verifiedAddress } from './add-by-rule.ts';
import type { FederationEngine } from './begin-attempt.ts';

/**
 * Keeps another address that the provider has verified, once and for good. If the provider may speak for its domain, another account
 * with it counts as theirs; otherwise the address is a hint for administrators.
 */
export async function keepAddress(
  engine: FederationEngine,
  provider: SignInProvider,
  user: UserId,
  claims: Readonly<Record<string, unknown>>,
): Promise<void> {
  const address = verifiedAddress(verifiedByOf(provider), claims);
  if (address === null) return;
  const isVouched = mayVouchFor(provider, address);
  if (!keptBy(userIn(await engine.directory.read(), user), address, isVouched)) return;
  await changeDirectory(engine, { kind: 'provider', issuer: provider.issuer }, (directory) => {
    const set = keptBy(userIn(directory, user), address, isVouched);
    if (!set) return null;
    const changed: UserChange = { verifiedAddress: true, ...(isVouched && { vouchedAddress: true }) };
    return { write: { type: 'user', id: user, set }, event: { type: 'user.changed', user, changed } };
  });
}

/** What keeps it; null if it is kept already. */
function keptBy(
  { email, verifiedAddresses, vouchedAddresses }: UserRecord,
  address: string,
  isVouched: boolean,
): UserSettings | null {
  const set = {
    ...addedTo(email, verifiedAddresses, 'verifiedAddresses', address),
    ...(isVouched && addedTo(email, vouchedAddresses, 'vouchedAddresses', address)),
  };
  return Object.keys(set).length === 0 ? null : set;
}

function addedTo(
  email: string,
  addresses: readonly string[] | null,
  key: 'verifiedAddresses' | 'vouchedAddresses',
  address: string,
): UserSettings {
  const kept = addresses ?? [];
  const isKept = [email, ...kept].some((other) => foldSubject(other) === foldSubject(address));
  return isKept ? {} : { [key]: [...kept, address] };
}
