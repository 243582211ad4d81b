import type { AboutElicitation, Actor, AuditEvent } from '#audit/entries/rules/entry';
import type { ProviderEvent } from '#connect/outcomes/store';
import type { StepEvent } from '../../machine/rules/step.ts';
import type { Within } from '#platform/database/transactor';
import type {
  ApproverTurn,
  ConnectedAccount,
  NewBreakGlass,
  NewGrant,
  NewRemark,
  NewVote,
  ReplacedQuestion,
  RevisedQuestion,
} from '../store/row.ts';

/** A requested state change, decided on one version of the row. */
export interface Intent {
  actor: Actor;
  event: StepEvent;
  /** Its audit event. */
  says(fields: AboutElicitation): AuditEvent;
  vote?: NewVote;
  /** Sealed; stored if the step closes the elicitation. */
  answer?: Uint8Array;
  /** An edit: the new question, and the one it replaces. */
  revised?: RevisedQuestion;
  replaced?: ReplacedQuestion;
  remark?: NewRemark;
  breakGlass?: NewBreakGlass;
  grant?: NewGrant;
  /** The hash of the voter's session, which must still exist when this commits. */
  session?: Uint8Array;
  /** The voter's turn, if a policy paces their approvals. */
  turn?: ApproverTurn;
  /** What the requester connected at a provider, with its own entry. */
  connection?: ConnectedAccount;
  /** The event of a provider by which it happens. */
  providerEvent?: ProviderEvent;
  /** Commits something else with it. */
  within?: Within | undefined;
}

/** Binding of a standing approval, apart from server, tool and tool schema. */
export interface GrantBinding {
  subject: string;
  issuer: string | null;
  verified: boolean;
  verifiedBy: string | null;
  /** The name of the agent's client. */
  agent: string | null;
  /** Arguments that must stay the same. */
  same: Record<string, unknown>;
  /** True if no other arguments are allowed, apart from the one that is counted. */
  isWhole: boolean;
  /** The numeric argument that is counted. */
  counts: string | null;
  /** Milliseconds a review is valid for; null if none is needed. */
  review: number | null;
}
