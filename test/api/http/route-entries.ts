import type pg from 'pg';
import type { RouteId } from '../../../src/contract/routes.ts';
import type { AuditEvent } from '../../../src/audit/entry.ts';

/**
 * What each route leaves in the log: every change and every read of content is an entry. A sentence says why a route
 * leaves none.
 */
export const routeEntries: Record<RouteId, AuditEvent['type'][] | string> = {
  openElicitation: ['elicitation.opened'],
  getElicitation: 'A server reads its own request.',
  answerElicitation: ['elicitation.answered'],
  cancelElicitation: ['elicitation.cancelled'],
  markCaller: ['elicitation.caller'],
  getToolCall: 'A server reads its own call.',
  claimToolCall: ['call.claimed'],
  releaseToolCall: ['call.released'],
  completeToolCall: ['call.completed'],
  sealState: 'It makes a text that its server keeps.',
  redeemState: 'It lets a server continue its own call; the answer that follows is an entry.',
  sealRound: 'It makes a text that its server keeps.',
  redeemRound: 'It lets a server continue a call that runs; that it runs is an entry.',
  streamOutcomes: 'A server reads its own requests.',
  mintToken: 'It makes a token; what is done with it is an entry.',
  renewPasses: ['call.passed'],
  reportTools: ['tool.changed'],
  getIdentity: 'A server reads its own name.',
  giveInformation: ['elicitation.informed'],

  signIn: ['user.signed-in'],
  whoAmI: 'Everyone may know who they are.',
  signOut: ['user.signed-out'],
  setUp: ['user.added', 'user.signed-in'],
  setPassword: ['user.password-set', 'user.signed-in'],
  confirmPassword: ['user.confirmed'],
  listSignInWays: 'It shows what the page for signing in shows.',
  beginSignIn: 'It sends someone to their identity provider; that they came back is an entry.',
  beginConfirmation: 'It sends someone to their identity provider; that they came back is an entry.',
  connectProvider: 'It sends someone to their identity provider; that they came back is an entry.',
  listOwnProviders: 'It shows someone how they sign in.',
  removeProvider: ['user.provider-removed'],
  completeSignIn: ['user.signed-in'],
  takeLogoutToken: ['user.sessions-ended'],
  takeFrontLogout: ['user.sessions-ended'],

  listInbox: ['access.listed'],
  exportHistory: ['access.exported'],
  exportHistoryTable: ['access.exported'],
  showElicitation: ['access.read'],
  compareApproved: ['access.read'],
  listSignals: 'Readings of lists by one person are counted for an hour: the list of requests has the entry.',
  listDeliveries: 'It shows who was told when, and no content.',
  streamInbox: 'It says which request changed, and no content.',
  lookAt: ['access.looked'],
  castVote: ['elicitation.voted'],
  castVotes: ['elicitation.voted'],
  withdrawVote: ['elicitation.vote-withdrawn'],
  withdrawElicitation: ['elicitation.cancelled'],
  withdrawUnreadable: ['elicitation.cancelled'],
  revokeApproval: ['call.revoked'],
  extendElicitation: ['elicitation.extended'],
  editElicitation: ['elicitation.edited'],
  addApprover: ['elicitation.approver-added'],
  watchElicitation: ['elicitation.watched'],
  addComment: ['elicitation.commented'],
  askForInformation: ['elicitation.inquired'],
  postponeElicitation: ['elicitation.postponed'],
  breakGlassElicitation: ['elicitation.break-glass'],
  reviewBreakGlass: ['break-glass.reviewed'],
  reviewLookBack: ['look-back.reviewed'],
  listLookBacks: 'It lists which tools policies allowed, and no content.',
  listBreakGlass: 'It lists who used the override and where, and no content.',
  sendTestRequest: ['elicitation.opened'],
  takeTeamsActivity: ['elicitation.voted'],
  takeSlackClick: ['elicitation.voted'],

  getReceipt: ['access.exported'],
  getOwnReceipt: 'A server takes the receipt of its own request.',
  getCheckpoint: ['access.exported'],
  getTile: 'It is part of the same export as the checkpoint, of which there is one entry an hour.',
  searchLog: ['access.listed'],
  showRecord: ['access.listed'],
  showInsights: ['access.listed'],
  verifyReceipt: 'It says of a file that the reader has whether the log vouches for it.',
  listAuditNames: 'It names servers, tools, policies and clients, and says nothing of requests.',
  runReport: ['access.listed'],
  takeReport: ['access.exported'],
  showProof: 'It says up to where the log was verified.',

  showPage: ['elicitation.visited'],
  answerPage: ['elicitation.answered'],
  keepReceipt: 'The requester takes the receipt of their own answer.',
  showCallback: 'It is the same page for every token.',
  takeCallback: ['elicitation.answered'],

  addUser: ['user.added'],
  mailPasswordLink: ['user.link-made'],
  listUsers: 'It shows who is there, and no content.',
  changeUser: ['user.changed'],
  listGroups: 'It shows who is in which group, and no content.',
  addGroup: ['group.added'],
  changeGroup: ['group.changed'],
  changeMembers: ['group.members-changed'],
  deleteGroup: ['group.deleted'],
  listDelegations: 'It shows who votes for whom, and no content.',
  delegate: ['delegation.made'],
  revokeDelegation: ['delegation.revoked'],
  listServers: 'It shows which servers there are, and no content.',
  listTools: 'It shows which tools there are, and no content.',
  changeServer: ['server.owner-changed'],
  listKeys: 'It shows keys without their secrets.',
  createKey: ['key.created'],
  revokeKey: ['key.revoked'],

  listPolicies: 'Policies may be read by everyone who signs in.',
  policySchema: 'Policies may be read by everyone who signs in.',
  exportPolicies: 'Policies may be read by everyone who signs in.',
  policyHistory: 'Policies may be read by everyone who signs in.',
  showPolicyVersion: 'Policies may be read by everyone who signs in.',
  showShadow: 'It counts what a version would have decided, and shows no content.',
  checkPolicy: 'It reads the document that it is given.',
  simulatePolicy: ['access.listed'],
  saveDraft: ['policy.drafted'],
  submitVersion: ['policy.submitted'],
  reviewVersion: ['policy.approved'],
  publishVersion: ['policy.published'],
  showAlways: ['access.read'],
  allowAlways: ['policy.published'],
  restoreVersion: ['policy.drafted'],
  setShadow: ['policy.shadowed'],
  importPolicies: ['policy.drafted'],

  listGrants: ['access.listed'],
  revokeGrant: ['grant.revoked'],
  reviewGrant: ['grant.reviewed'],
  listStops: 'It shows what is stopped, and no content.',
  makeStop: ['stop.made'],
  liftStop: ['stop.lifted'],
  eraseContent: ['content.erased'],
  showErased: 'It shows what is left when the content is gone.',
  listHolds: 'It shows what is held, and no content.',
  placeHold: ['hold.placed'],
  releaseHold: ['hold.released'],

  getNotificationSettings: 'Everyone may know how they are told.',
  changeNotificationSettings: 'Everyone chooses how they are told; nothing is decided by it.',
  testNotification: 'It tells only the person who asks for it, and has no content.',
  listSessions: 'Everyone may know where they are signed in.',
  endSession: ['user.sessions-ended'],
  endOtherSessions: ['user.sessions-ended'],
  changePassword: ['user.password-changed'],
  listCredentials: 'Everyone may know for which servers they have entered credentials.',
  replaceCredential: ['credential.stored'],
  removeCredential: ['credential.removed'],
  findCredential: ['credential.used'],
  refuseCredential: ['credential.refused'],
  showCredentialPage: 'It shows nothing before a sign-in.',
  storeCredential: ['credential.stored'],
  listViews: 'A view is a query; what is read with it is read, and logged, as any list.',
  saveView: 'It gives no right, and decides nothing.',
  changeView: 'It gives no right, and decides nothing.',
  removeView: 'It takes no right, and decides nothing.',
  listDevices: 'Everyone may know in which browsers they are told.',
  addDevice: ['device.added'],
  removeDevice: ['device.removed'],
  testDevice: 'It tells only the person who asks for it, and has no content.',
  listWebhooks: 'It shows hosts, and no content.',
  addWebhook: ['webhook.added'],
  removeWebhook: ['webhook.removed'],
  testWebhook: 'It sends a test without content.',
  listNotifications: 'It shows what was sent and what could not be, without content.',
  replayNotifications: 'It sends again what was due anyway.',

  showMachine: 'It is the same for everyone.',
  openApi: 'It is the same for everyone.',
  isAlive: 'It is the same for everyone.',
  isReady: 'It says how the node is.',
  readMetrics: 'It counts, and has no content.',
  reportViolation: 'A browser says what it stopped: a line of the log of the node.',
};

/** The answer to the last request of an exchange to this node, and the types of the entries that this request left. */
export async function entriesOfLast(
  log: pg.Client,
  node: string,
  exchange: () => Promise<Response>,
): Promise<{ response: Response; types: string[] }> {
  // Deliveries end when their receiver answers, whatever is asked meanwhile.
  const text = `SELECT id, type FROM audit_entry WHERE type NOT LIKE 'notification.%'`;
  const entries = async () => (await log.query<{ id: string; type: string }>(text)).rows;
  const { fetch } = globalThis;
  let before = new Set<string>();
  globalThis.fetch = async (...request) => {
    // The node runs here as well, and fetches what it delivers.
    if (String(request[0]).startsWith(node)) before = new Set((await entries()).map(({ id }) => id));
    return fetch(...request);
  };
  try {
    const response = await exchange();
    return { response, types: (await entries()).filter(({ id }) => !before.has(id)).map(({ type }) => type) };
  } finally {
    globalThis.fetch = fetch;
  }
}
