/** How many requests may wait at the same time. */
export interface Limits {
  perServer: number;
  perRequester: number;
  /** For one approver by name: beyond it, who has room must be among those who may decide. */
  perApprover: number;
}
