/** How many requests may wait at the same time. */
export interface Limits {
  perServer: number;
  perRequester: number;
  /** For one approver: at least one person who may decide must be below it. */
  perApprover: number;
}
