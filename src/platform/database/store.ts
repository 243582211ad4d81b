import type { Evidence } from '#audit/entries/rules/evidence';
import { createAccessLog, type AccessLog, createSignInChanges } from '#audit/entries/store/access';
import { createCallbackReports, createTokens } from '#requests/pages/store/tokens';
import { createOnceCalls, createCallMemos, createOutbox, type Outbox } from '#requests/asking/store/opening';
import { createCosignatures, createMerkleLog, type MerkleLog } from '#audit/tree/store';
import { createChat } from '#notify/chat/store';
import { createFederation } from '#access/oidc/store';
import { createDelegations } from '#people/delegations/store';
import { createDirectory } from '#people/directory/store/directory';
import { createDueTimers, createLoad, createReader, type Reader } from '#requests/asking/store/reader';
import type { Database } from './database.ts';
import { createEpochs } from './epochs.ts';
import { createReadInstalledAt, createReadLastBackup } from '#keeping/backup/store';
import { createReadGauges, type ReadGauges } from './gauges.ts';
import { createGrants } from '#requests/grants/store/grants';
import { createContents, createPassedCalls, createHolds } from '#keeping/content/store';
import { createInboxReader, createVisibility } from '#requests/inbox/store/inbox';
import { createReadSnapshot, type ReadSnapshot } from './snapshot.ts';
import { createNotifications, type Notifications } from '#notify/store';
import { createExpectations } from '#connect/outcomes/store';
import { createRegisteredClients } from '#connect/auto/store';
import { createConnections } from '#connect/connections/store';
import { createCredentials } from '#connect/credentials/store';
import { createSavedViews } from '#requests/inbox/store/saved-views';
import { createDevices } from '#notify/push/store';
import { createPasskeys } from '#access/passkeys/store';
import { createSecondFactors } from '#access/factors/store/second-factors';
import { createWebhooks } from '#notify/webhooks/store';
import { createEntrySearch } from '#audit/search/store';
import { createStreams } from '#audit/streams/store';
import { createApprovals, type Approvals } from '#audit/entries/store/entries';
import { createInsightTotals, createInsightsReader } from '#audit/reports/store/insights';
import { createAskedNames, type AskedNames } from '#audit/entries/store/asked-names';
import { createReports } from '#audit/reports/store/reports';
import { createPastRequests } from '#requests/inbox/store/history';
import { createPageProofs, createPageTries } from '#requests/pages/store/proofs';
import { createUsers, type Users } from '#people/users/store/users';
import { createPolicies } from '#policies/store/policies';
import { createProceedings } from '#requests/deliberation/store/proceedings';
import { createAdminTokens } from '#access/tokens/store';
import { createWorkloads } from '#access/workloads/store';
import { createScimTokens } from '#access/scim/store';
import { createServers, createServerTools } from '#access/keys/store';
import { createStops } from '#requests/stops/store';
import { createToolCalls } from '#requests/claims/store';
import { createNodes } from '../nodes/store.ts';
import { createSecrets } from '#keeping/secrets/store';
import { createTransactor, type OnCommit, type Transactor } from './transactor.ts';

/** The stores by purpose. */
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
  connections: ReturnType<typeof createConnections>;
  registeredClients: ReturnType<typeof createRegisteredClients>;
  expectations: ReturnType<typeof createExpectations>;
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
    connections: createConnections(ledger),
    registeredClients: createRegisteredClients(ledger),
    expectations: createExpectations(ledger),
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
