import { randomHex } from '#sdk/client/digest/hex';
import { equalBytes } from '#platform/crypto/random/compare';
import { hashBoundNonce } from '#platform/crypto/digest/bound-nonce';

/** How clients name something of an upstream, so that it is of use only to its owner. */
export interface OwnedNames {
  /** The name for this owner. */
  give(own: string, owner: string): string;
  /** What the upstream calls it; null if this is not its owner. */
  take(name: string, caller: string): string | null;
}

/** Without verified people a session is known by its id alone. */
export const plainNames: OwnedNames = { give: (own) => own, take: (name) => name };

/**
 * Names with a proof of whose it is at this upstream, by a secret that all nodes of the gateway share. Without one the
 * process makes its own, and its names are of use at no other.
 */
export function provenNames(kind: 'session' | 'task', upstream: string, secret = randomHex(32)): OwnedNames {
  const give = (own: string, owner: string): string =>
    `${hashBoundNonce(secret, `assentry/gateway-${kind}/v1`, upstream, owner, own)
      .toString('base64url')
      .slice(0, proofLength)}.${own}`;
  return {
    give,
    take: (name, caller) => {
      const own = name.slice(proofLength + 1);
      return equalBytes(Buffer.from(name), Buffer.from(give(own, caller))) ? own : null;
    },
  };
}

/** Characters: 132 bits. */
const proofLength = 22;
