/** A step of a policy: who may vote, and how many distinct persons it needs. */
export interface Stage {
  /** How many distinct persons must accept. */
  approve: number;
  /** How many refusals end it. */
  deny: number;
  /** Ids of the persons who may vote, or everyone who may vote at all. */
  approvers: string[] | 'anyone';
  /** After so many milliseconds of this stage without an end, these may vote too. */
  escalation?: { after: number; approvers: string[] };
}
