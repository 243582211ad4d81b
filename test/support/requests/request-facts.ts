import type { RequestFacts, RequestProgress } from '#audit/entries/rules/events';

/** What entries of tests say of the request they are about. */
export const someFacts: RequestFacts = {
  server: 'srv_AAAAAAAAAAAAAAAAAAAAAA',
  serverName: 'payments',
  tool: 'transfer_funds',
  policy: 'test@1',
  requester: 'r',
};

export const someProgress: RequestProgress = { ...someFacts, stage: 0, waited: 0 };
