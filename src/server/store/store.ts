import type { Evidence } from '#core/audit/evidence';
import { createAccessLog, type AccessLog } from './log/access-log.ts';
import { createCallbackReports } from './elicitation/callback-reports.ts';
import { createOnceCalls } from './elicitation/once-calls.ts';
import { createCallMemos } from './elicitation/call-memos.ts';
import { createCosignatures } from './log/cosignatures.ts';
import { createChat } from './elicitation/chat.ts';
import { createFederation } from './users/federation.ts';
import { createDelegations } from './users/delegations.ts';
import { createDirectory } from './users/directory.ts';
import { createDueTimers } from './elicitation/due-timers.ts';
import type { Database } from './database/database.ts';
import { createEpochs } from './database/epochs.ts';
import { createReadInstalledAt, createReadLastBackup } from './backup/last-backup.ts';
import { createReadGauges, type ReadGauges } from './gauges.ts';
import { createGrants } from './elicitation/grants.ts';
import { createContents } from './keeping/contents.ts';
import { createPassedCalls } from './keeping/passed-calls.ts';
import { createHolds } from './keeping/holds.ts';
import { createInboxReader } from './inbox/inbox.ts';
import { createLoad } from './elicitation/load.ts';
import { createReadSnapshot, type ReadSnapshot } from './snapshot.ts';
import { createMerkleLog, type MerkleLog } from './log/merkle-log.ts';
import { createNotifications, type Notifications } from './notifications/notifications.ts';
import { createCredentials } from './users/credentials.ts';
import { createSavedViews } from './users/saved-views.ts';
import { createDevices } from './users/devices.ts';
import { createPasskeys } from './users/passkeys.ts';
import { createSecondFactors } from './users/second-factors.ts';
import { createWebhooks } from './notifications/webhooks.ts';
import { createOutbox, type Outbox } from './elicitation/outbox.ts';
import { createEntrySearch } from './log/entry-search.ts';
import { createStreams } from './log/streams.ts';
import { createApprovals, type Approvals } from './log/approvals.ts';
import { createSignInChanges } from './log/sign-in-changes.ts';
import { createInsightTotals } from './log/insight-totals.ts';
import { createInsightsReader } from './log/insights.ts';
import { createAskedNames, type AskedNames } from './log/asked-names.ts';
import { createReports } from './log/reports.ts';
import { createPastRequests } from './elicitation/past-requests.ts';
import { createPageProofs } from './elicitation/page-proofs.ts';
import { createPageTries } from './elicitation/page-tries.ts';
import { createUsers, type Users } from './users/users.ts';
import { createPolicies } from './policies.ts';
import { createProceedings } from './elicitation/proceedings.ts';
import { createReader, type Reader } from './elicitation/reader.ts';
import { createAdminTokens } from './users/admin-tokens.ts';
import { createWorkloads } from './users/workloads.ts';
import { createScimTokens } from './users/scim-tokens.ts';
import { createServers } from './users/servers.ts';
import { createServerTools } from './users/server-tools.ts';
import { createVisibility } from './elicitation/visibility.ts';
import { createStops } from './elicitation/stops.ts';
import { createTokens } from './elicitation/tokens.ts';
import { createToolCalls } from './elicitation/tool-calls.ts';
import { createNodes } from './nodes.ts';
import { createSecrets } from './secrets.ts';
import { createTransactor, type OnCommit, type Transactor } from './transactor.ts';

/** Everything that is stored, by what it is for. */
export interface Store {
  reader: Reader;
  proceedings: ReturnType<typeof createProceedings>;
  transactor: Transactor;
  toolCalls: ReturnType<typeof createToolCalls>;
  inbox: ReturnType<typeof createInboxReader>;
  pastRequests: ReturnType<typeof createPastRequests>;
  visibility: ReturnType<typeof createVisibility>;
  outbox: Outbox;
  dueTimers: ReturnType<typeof createDueTimers>;
  users: Users;
  directory: ReturnType<typeof createDirectory>;
  federation: ReturnType<typeof createFederation>;
  delegations: ReturnType<typeof createDelegations>;
  policies: ReturnType<typeof createPolicies>;
  epochs: ReturnType<typeof createEpochs>;
  load: ReturnType<typeof createLoad>;
  grants: ReturnType<typeof createGrants>;
  stops: ReturnType<typeof createStops>;
  contents: ReturnType<typeof createContents>;
  passedCalls: ReturnType<typeof createPassedCalls>;
  holds: ReturnType<typeof createHolds>;
  servers: ReturnType<typeof createServers>;
  scimTokens: ReturnType<typeof createScimTokens>;
  adminTokens: ReturnType<typeof createAdminTokens>;
  workloads: ReturnType<typeof createWorkloads>;
  serverTools: ReturnType<typeof createServerTools>;
  tokens: ReturnType<typeof createTokens>;
  callMemos: ReturnType<typeof createCallMemos>;
  onceCalls: ReturnType<typeof createOnceCalls>;
  callbackReports: ReturnType<typeof createCallbackReports>;
  pageProofs: ReturnType<typeof createPageProofs>;
  pageTries: ReturnType<typeof createPageTries>;
  merkleLog: MerkleLog;
  readLog: ReadSnapshot;
  chat: ReturnType<typeof createChat>;
  notifications: Notifications;
  webhooks: ReturnType<typeof createWebhooks>;
  devices: ReturnType<typeof createDevices>;
  passkeys: ReturnType<typeof createPasskeys>;
  secondFactors: ReturnType<typeof createSecondFactors>;
  credentials: ReturnType<typeof createCredentials>;
  savedViews: ReturnType<typeof createSavedViews>;
  secrets: ReturnType<typeof createSecrets>;
  accessLog: AccessLog;
  entries: ReturnType<typeof createEntrySearch>;
  cosignatures: ReturnType<typeof createCosignatures>;
  reports: ReturnType<typeof createReports>;
  askedNames: AskedNames;
  streams: ReturnType<typeof createStreams>;
  insights: ReturnType<typeof createInsightsReader>;
  insightTotals: ReturnType<typeof createInsightTotals>;
  approvals: Approvals;
  signInChanges: ReturnType<typeof createSignInChanges>;
  nodes: ReturnType<typeof createNodes>;
  readGauges: ReadGauges;
  readLastBackup: ReturnType<typeof createReadLastBackup>;
  readInstalledAt: ReturnType<typeof createReadInstalledAt>;
}

interface StoreParts {
  evidence: Evidence;
  /** Called after each commit that changed an elicitation. */
  onCommit: OnCommit;
}

export function createStore(database: Database, { evidence, onCommit }: StoreParts): Store {
  const ledger = { prisma: database.prisma, query: database.query, evidence };
  return {
    reader: createReader(ledger),
    proceedings: createProceedings(ledger),
    transactor: createTransactor(ledger, onCommit),
    toolCalls: createToolCalls(ledger),
    inbox: createInboxReader(database),
    pastRequests: createPastRequests(ledger),
    visibility: createVisibility(ledger),
    outbox: createOutbox(database),
    dueTimers: createDueTimers(database),
    users: createUsers(ledger),
    directory: createDirectory(ledger),
    federation: createFederation(ledger),
    delegations: createDelegations(ledger),
    policies: createPolicies(ledger),
    epochs: createEpochs(database),
    readGauges: createReadGauges(database),
    readLastBackup: createReadLastBackup(database),
    readInstalledAt: createReadInstalledAt(database),
    load: createLoad(database),
    grants: createGrants(ledger),
    stops: createStops(ledger),
    contents: createContents(ledger),
    passedCalls: createPassedCalls(ledger),
    holds: createHolds(ledger),
    servers: createServers(ledger),
    scimTokens: createScimTokens(ledger),
    adminTokens: createAdminTokens(ledger),
    workloads: createWorkloads(ledger),
    serverTools: createServerTools(ledger),
    tokens: createTokens(database),
    callMemos: createCallMemos(database),
    onceCalls: createOnceCalls(database),
    callbackReports: createCallbackReports(ledger),
    pageProofs: createPageProofs(ledger),
    pageTries: createPageTries(database),
    merkleLog: createMerkleLog({ ...database, evidence }),
    readLog: createReadSnapshot(database),
    chat: createChat(ledger),
    notifications: createNotifications(ledger),
    webhooks: createWebhooks(ledger),
    devices: createDevices(ledger),
    passkeys: createPasskeys(ledger),
    secondFactors: createSecondFactors(ledger),
    credentials: createCredentials(ledger),
    savedViews: createSavedViews(database),
    secrets: createSecrets(ledger),
    accessLog: createAccessLog(ledger),
    entries: createEntrySearch(database),
    cosignatures: createCosignatures(database),
    reports: createReports(database),
    askedNames: createAskedNames(database),
    streams: createStreams(ledger),
    insights: createInsightsReader(database),
    insightTotals: createInsightTotals(database),
    approvals: createApprovals(database),
    signInChanges: createSignInChanges(ledger),
    nodes: createNodes(database),
  };
}
