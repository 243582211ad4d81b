import type { WitnessAddress } from '#audit/tree/rules/notes';
import type { KeyRing } from '../../../crypto/key-ring/key-ring.ts';
import type { IdentityProvider } from '#access/oidc/contract/identity-provider';
import type { SecondFactorRule } from '#access/factors/contract/factor-rule';
import type { PasswordRule } from '#access/oidc/contract/identity-provider';
import type { SessionLimits } from '#people/directory/contract/user';
import type { ProvenWorkload } from '#access/workloads/contract';
import type { PolicyDefaults } from '#policies/contract/policy';
import type { Store } from '../../../database/store.ts';
import type { AccessWatch } from '#audit/entries/verbs';
import type { Feed } from '../feed.ts';
import type { Health } from '../health.ts';
import type { ReadToken } from '#access/tokens/verbs/read-token';
import type { RulesCache } from '#policies/deciding/verbs/rules/rules';

/** What the verbs work with: the store, the keys, the clock and the news. */
export interface Engine extends Store {
  feed: Feed;
  ring: KeyRing;
  rules: RulesCache;
  /** How many requests may wait at the same time. Of one approver: at least one person who may decide must be below it. */
  limits: { perServer: number; perRequester: number; perApprover: number };
  sessions: SessionLimits;
  /** The name of the installation in policies, such as production. */
  environment: string;
  /** The defaults if no policy says otherwise. */
  defaults: PolicyDefaults;
  /** Milliseconds since 1970 by the database's clock; the only one. */
  now(): number;
  readToken: ReadToken;
  /** What a token of a workload says, verified by the keys of its issuer; or why it is refused, for the log alone. */
  readWorkload(token: string): Promise<{ state: 'valid'; token: ProvenWorkload } | { state: 'refused'; why: string }>;
  /** The issuers that the operator has named for workloads. */
  workloadIssuers: readonly string[];
  /** Where people sign in besides here. */
  providers: readonly IdentityProvider[];
  /** Who signs in with a password. */
  passwords: PasswordRule;
  /** Must a session prove more than one factor before it opens anything? */
  secondFactor: SecondFactorRule;
  health: Health;
  /** Writes into the log who was refused, and who read what. */
  access: AccessWatch;
  /** Where people reach the console, without a slash at the end. */
  publicUrl(): string;
  /** Who cosigns the heads of the log. */
  witnesses: readonly WitnessAddress[];
  /** Can this node send mails? */
  sendsMails: boolean;
}
