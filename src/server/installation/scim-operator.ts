import type { Engine } from '../engine/engine.ts';
import { createScimToken, revokeScimToken } from '../engine/users/provisioning/scim-tokens.ts';
import type { StoredScimToken } from '../store/users/scim-tokens.ts';

/** The operator's commands for the tokens by which identity providers provision people. */
export interface ScimOperator {
  /** A new token for the provider of this key in the settings: shown once, stored nowhere. */
  createToken(provider: string): Promise<StoredScimToken & { token: string }>;
  /** Every token that ever existed, without its secret. */
  listTokens(): Promise<StoredScimToken[]>;
  /** Revokes a token at once and permanently; the people it added stay. */
  revokeToken(kid: string): Promise<StoredScimToken>;
}

export const createScimOperator = (engine: Pick<Engine, 'scimTokens' | 'providers' | 'now'>): ScimOperator => ({
  createToken: (provider) => createScimToken(engine, provider),
  listTokens: () => engine.scimTokens.list(),
  revokeToken: (kid) => revokeScimToken(engine, kid),
});
