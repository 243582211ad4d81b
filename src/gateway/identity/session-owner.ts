import { randomHex } from '#sdk/client/hex';
import { equalBytes } from '#core/crypto/compare';
import { hashBoundNonce } from '#core/crypto/tokens/bound-nonce';
import type { Principal } from '#sdk/mcp/tools/principal';
import { principalKey } from './visitor.ts';

/** How clients name a session, so that it is of use only to who began it. */
export interface SessionNames {
  /** The name of the upstream's session for this person. */
  give(session: string, owner: Principal): string;
  /** The upstream's session; null if this person did not begin it. */
  take(name: string, visitor: Principal): string | null;
}

/** Without verified people a session is known by its id alone. */
export const plainNames: SessionNames = { give: (session) => session, take: (name) => name };

/**
 * Names with a proof of who began the session at this upstream, by a secret that all nodes of the gateway share. Without
 * one the process makes its own, and its sessions are of use at no other.
 */
export function ownedNames(upstream: string, secret = randomHex(32)): SessionNames {
  const proofOf = (session: string, owner: Principal): string =>
    hashBoundNonce(secret, 'assentry/gateway-session/v1', upstream, principalKey(owner), session)
      .toString('base64url')
      .slice(0, proofLength);
  return {
    give: (session, owner) => `${proofOf(session, owner)}.${session}`,
    take: (name, visitor) => {
      const session = name.slice(proofLength + 1);
      const own = `${proofOf(session, visitor)}.${session}`;
      return equalBytes(Buffer.from(name), Buffer.from(own)) ? session : null;
    },
  };
}

/** Characters: 132 bits. */
const proofLength = 22;
