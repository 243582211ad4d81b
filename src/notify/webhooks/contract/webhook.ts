import type { WebhookFormat } from '../../chat/contract.ts';
import type { Language } from '#platform/text/language';

/** Format of an outside program's notifications. */
export interface WebhookManner {
  format: WebhookFormat;
  /** Language of formats with sentences. */
  language: Language;
}

/** Reach of this node's webhooks. */
export interface WebhookReach {
  /** Networks that are not public but allowed, as in 10.0.0.0/8. */
  networks: readonly string[];
  /** Certificates of a private authority, in PEM; the usual ones if absent. */
  ca?: string;
  /** Client certificate for the other side, in PEM. */
  cert?: string;
  key?: string;
}
