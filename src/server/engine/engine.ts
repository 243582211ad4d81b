import type { WitnessAddress } from '#core/audit/cosignature';
import type { KeyRing } from '#core/crypto/key-ring';
import type { IdentityProvider } from '#protocol/model/sign-in/identity-provider';
import type { SecondFactorRule } from '#protocol/model/sign-in/second-factor';
import type { PasswordRule } from '#protocol/model/sign-in/sign-in-provider';
import type { SessionLimits } from '#protocol/model/user';
import type { ProvenWorkload } from '#protocol/model/workload';
import type { PolicyDefaults } from '#protocol/model/policy';
import type { Store } from '../store/store.ts';
import type { AccessWatch } from './access-watch.ts';
import type { Feed } from './feed.ts';
import type { Health } from './health.ts';
import type { ReadToken } from './read-token.ts';
import type { RulesCache } from './rules.ts';

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
