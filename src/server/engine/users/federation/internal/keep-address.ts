import { foldSubject } from '#protocol/model/identity';
import type { UserId } from '#protocol/model/id';
import { verifiedByOf, type SignInProvider } from '#protocol/model/sign-in/sign-in-provider';
import type { UserRecord } from '../../../../store/users/directory-record.ts';
import { changeDirectory } from '../../change-directory.ts';
import { userIn } from '../../in-directory.ts';
import { verifiedAddress } from '../add-by-rule.ts';
import type { FederationEngine } from '../begin-attempt.ts';

/** Keeps another address that the provider has verified, once and for good: who has another account with it may be the same person. */
export async function keepAddress(
  engine: FederationEngine,
  { issuer, newPeople }: SignInProvider,
  user: UserId,
  claims: Readonly<Record<string, unknown>>,
): Promise<void> {
  const address = verifiedAddress(verifiedByOf({ newPeople }), claims);
  if (address === null || isKept(userIn(await engine.directory.read(), user), address)) return;
  await changeDirectory(engine, { kind: 'provider', issuer }, (directory) => {
    const record = userIn(directory, user);
    if (isKept(record, address)) return null;
    return {
      write: { type: 'user', id: user, set: { verifiedAddresses: [...(record.verifiedAddresses ?? []), address] } },
      event: { type: 'user.changed', user, changed: { verifiedAddress: true } },
    };
  });
}

const isKept = ({ email, verifiedAddresses }: UserRecord, address: string): boolean =>
  [email, ...(verifiedAddresses ?? [])].some((kept) => foldSubject(kept) === foldSubject(address));
