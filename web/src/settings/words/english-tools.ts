import { formatsIn } from '#platform/text/formats';

const { number } = formatsIn('en');

export const servers = {
  title: 'Servers',
  lead: 'MCP servers that can create requests. Policies can ask a server’s owner.',
  filter: 'Find a server',
  filterNote: 'By name, with its keys',
  noMatch: 'No server matches.',
  table: 'Servers',
  name: 'Server',
  owner: 'Owner',
  ownerOf: (name: string) => `Owner of ${name}`,
  empty: 'No servers yet',
  emptyNote: 'A server appears here with its first key. Create one below.',
};

/** The words of the page of one server. */
export const tools = {
  lead: 'Its tools, what became of requests about them in the last 30 days, and what your policies say of a call.',
  table: 'Tools',
  empty: 'No tools yet',
  emptyNote: 'A tool appears here when the gateway has seen it, or after the first request about it.',
  name: 'Tool',
  readOnly: 'Says it only reads',
  destructive: 'Says it can destroy data',
  definition: 'Definition',
  unseen: 'Not behind the gateway',
  seen: 'Seen',
  changed: 'Changed, and blocked until someone accepts it',
  difference: 'Read the difference and decide',
  noRequest: 'The gateway asks approvers when a client lists the tools again.',
  outcomes: 'Requests',
  noOutcomes: 'None',
  counts: {
    open: (requests: number) => `${number(requests)} open`,
    accepted: (requests: number) => `${number(requests)} approved`,
    declined: (requests: number) => `${number(requests)} declined`,
    cancelled: (requests: number) => `${number(requests)} cancelled`,
    expired: (requests: number) => `${number(requests)} expired`,
  },
  passed: 'Calls that a policy lets pass because they only read are in the log, not here.',
  rule: 'Now',
  rules: { allow: 'Free', requester: 'Asks the requester', require: 'Gated', deny: 'Denied' },
  varies: 'Depends on the call',
  by: (policy: string) => `by ${policy}`,
  unknown: 'Not known',
  change: 'Change with a draft',
  changeOf: (tool: string) => `Draft for ${tool}`,
  choose: 'Choose…',
  freeLater: 'Free: not possible, it says it can destroy data',
  drafted: 'Draft saved. Nothing changes until it is published.',
  openDraft: (policy: string) => `Open the draft ${policy}`,
};
