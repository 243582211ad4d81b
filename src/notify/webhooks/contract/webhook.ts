import type { WebhookFormat } from '../../chat/contract.ts';
import type { Language } from '#platform/text/language';

/** How a program outside is told. */
export interface WebhookManner {
  format: WebhookFormat;
  /** Of the formats that have sentences. */
  language: Language;
}

/** What the webhooks of this node can reach. */
export interface WebhookReach {
  /** The networks that are not public and may be reached all the same, as in 10.0.0.0/8. */
  networks: readonly string[];
  /** Certificates of an authority of one's own, in PEM; the usual ones if absent. */
  ca?: string;
  /** What shows the other side who calls, in PEM. */
  cert?: string;
  key?: string;
}
