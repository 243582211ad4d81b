import type { NewPasskey, PasskeyAssertion, PasskeyCreation, PasskeyRequest } from '#access/passkeys/contract/passkeys';
import { notePasskey } from './passkey-mark.ts';

/** Can this browser use passkeys at this address? Browsers bind them to a name. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^(\[|\d+\.\d+\.\d+\.\d+$)/.test(location.hostname);

/** Error of a person or device that did not sign: nothing was sent. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

// Loaded when it is first needed: most visits sign nothing.
const load = () => import('@simplewebauthn/browser');

/** Lets a device sign, after it has verified its person. */
export async function signWithPasskey(request: PasskeyRequest): Promise<PasskeyAssertion> {
  const { startAuthentication } = await load();
  const { id, response } = await orNotSigned(startAuthentication({ optionsJSON: request as never }));
  const { authenticatorData, clientDataJSON, signature } = response;
  notePasskey();
  return { credentialId: id, authenticatorData, clientDataJSON, signature };
}

/** Lets a device make a passkey. */
export async function makePasskey(creation: PasskeyCreation): Promise<Omit<NewPasskey, 'name'>> {
  const { startRegistration } = await load();
  const { id, response } = await orNotSigned(startRegistration({ optionsJSON: creation as never }));
  const { attestationObject, clientDataJSON, transports = [] } = response;
  notePasskey();
  return { credentialId: id, attestationObject, clientDataJSON, transports };
}

const orNotSigned = <T>(signing: Promise<T>): Promise<T> =>
  signing.catch((cause: unknown) => {
    throw new NotSigned('not-signed', { cause });
  });
