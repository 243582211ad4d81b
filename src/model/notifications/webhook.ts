/** What the webhooks of this node can reach. */
export interface WebhookReach {
  /** The networks that are not public and may be reached all the same, as in 10.0.0.0/8. */
  networks: readonly string[];
  /** Certificates of an authority of one's own, in PEM; the usual ones if absent. */
  ca?: string;
}
