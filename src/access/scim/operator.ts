import type { Engine } from '#platform/nodes/verbs/engine';
import { createScimToken, revokeScimToken } from './verbs/tokens.ts';

/** The operator's commands for the tokens by which identity providers provision people. */
export const createScimOperator = (engine: Pick<Engine, 'scimTokens' | 'providers' | 'now'>) => ({
  /** A new token for the provider of this key in the settings: shown once, stored nowhere. */
  createToken: (provider: string) => createScimToken(engine, provider),
  /** Every token that ever existed, without its secret. */
  listTokens: () => engine.scimTokens.list(),
  /** Revokes a token at once and permanently; the people it added stay. */
  revokeToken: (kid: string) => revokeScimToken(engine, kid),
});
