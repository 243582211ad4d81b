/** What a standing approval is bound to, apart from server, tool and tool schema. */
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
