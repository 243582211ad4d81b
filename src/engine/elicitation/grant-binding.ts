/** What a standing approval is bound to, apart from server, tool and tool schema. */
export interface GrantBinding {
  subject: string;
  issuer: string | null;
  verified: boolean;
  verifiedBy: string | null;
  /** The name of the agent's client. */
  agent: string | null;
  /** Arguments that must be as they were. */
  same: Record<string, unknown>;
  /** True where there may be no other arguments, but the one that is counted. */
  isWhole: boolean;
  /** The numeric argument that is counted. */
  counts: string | null;
  /** Milliseconds a review is good for; null where none is due. */
  review: number | null;
}
