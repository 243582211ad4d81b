import type { RelyingParty } from '../contract/types.ts';
import { clientDataIn, isOwnPage } from './client-data.ts';
import { algorithms, isStrongKey } from './public-key.ts';

/** What a browser hands over of a passkey that it has just made; all in base64url. */
export interface Registration {
  credentialId: string;
  attestationObject: string;
  clientDataJSON: string;
  transports: string[];
}

/** A passkey as its authenticator made it. */
interface MadePasskey {
  credentialId: string;
  /** COSE. */
  publicKey: Uint8Array;
  counter: number;
  aaguid: string;
  /** Is it kept elsewhere, too, such as in a password manager? */
  isBackedUp: boolean;
  /** May it be, now or later? */
  isSyncable: boolean;
}

/** Was it made for this challenge and this site, after its person was verified, with a key that holds? Null if not. */
export async function checkRegistration(
  { credentialId: id, attestationObject, clientDataJSON }: Registration,
  { challenge, party }: { challenge: string; party: RelyingParty },
): Promise<MadePasskey | null> {
  const client = clientDataIn({ clientDataJSON });
  if (!client || !isOwnPage(client, party)) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { attestationObject, clientDataJSON },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...algorithms],
  }).catch(() => ({ verified: false, registrationInfo: undefined }) as const);
  if (!verified || !registrationInfo) return null;
  if (!(await isStrongKey(registrationInfo.credential.publicKey))) return null;
  const { credential, aaguid, credentialBackedUp: isBackedUp, credentialDeviceType } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    aaguid,
    isBackedUp,
    isSyncable: credentialDeviceType === 'multiDevice',
  };
}
