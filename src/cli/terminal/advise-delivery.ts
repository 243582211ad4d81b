/** What to do about the code with which a delivery failed; null for one that says nothing to the operator. */
export const adviseDelivery = (fault: string): string | null =>
  advice.find(({ codes }) => codes.test(fault))?.todo ?? null;

const advice = [
  {
    codes: /^address-not-allowed$/,
    todo: 'if its network is yours, name it in ASSENTRY_WEBHOOK_NETWORKS at every node',
  },
  { codes: /^CERT_HAS_EXPIRED$/, todo: 'have its certificate renewed' },
  { codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/, todo: 'its certificate is for another name: correct the address' },
  {
    codes: /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
    todo: 'name the authority of its certificate in NODE_EXTRA_CA_CERTS at every node',
  },
  { codes: /^(ENOTFOUND|EAI_AGAIN|EDNS)$/, todo: 'look whether the name is right, and whether nodes resolve it' },
  {
    codes: /^(ECONN[A-Z]+|ESOCKET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)$/,
    todo: 'look whether it runs, and whether nodes reach it',
  },
  { codes: /^(EAUTH|401|403|530|535)$/, todo: 'look whether it still takes this password, token or secret' },
  { codes: /^(404|410)$/, todo: 'nothing is at this address any more: remove it, or add the right one' },
  { codes: /^chat-not-set-up$/, todo: 'give every node the settings of this chat' },
] as const;
