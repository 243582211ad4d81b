const codes = {
  address: /^address-not-allowed$/,
  expired: /^CERT_HAS_EXPIRED$/,
  'other-name': /^ERR_TLS_CERT_ALTNAME_INVALID$/,
  authority: /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
  name: /^(ENOTFOUND|EAI_AGAIN|EDNS)$/,
  unreachable: /^(ECONN[A-Z]+|ESOCKET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|TimeoutError)$/,
  credential: /^(EAUTH|401|403|530|535)$/,
  gone: /^(404|410)$/,
  chat: /^chat-not-set-up$/,
} as const;

/** Cause of a failed delivery that an operator can act on. */
export type DeliveryFault = keyof typeof codes;

/** Cause of a delivery failed with this code; null for one without meaning for the operator. */
export const deliveryFault = (code: string): DeliveryFault | null =>
  (Object.keys(codes) as DeliveryFault[]).find((fault) => codes[fault].test(code)) ?? null;
