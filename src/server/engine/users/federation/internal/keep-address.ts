import type { UserChange } from '#core/audit/events/user-event';
import { foldSubject } from '#protocol/model/identity';
import type { UserId } from '#protocol/model/id';
import { mayVouchFor, verifiedByOf, type SignInProvider } from '#protocol/model/sign-in/sign-in-provider';
import type { UserRecord } from '../../../../store/users/directory-record.ts';
import type { UserSettings } from '../../../../store/users/directory-write.ts';
import { changeDirectory } from '../../change-directory.ts';
import { userIn } from '../../in-directory.ts';
import { verifiedAddress } from '../add-by-rule.ts';
import type { FederationEngine } from '../begin-attempt.ts';

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
