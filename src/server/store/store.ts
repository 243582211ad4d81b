import type { Evidence } from '#core/audit/evidence';
import { createAccessLog, type AccessLog } from './log/access-log.ts';
import { createCosignatures, type Cosignatures } from './log/cosignatures.ts';
import { createChat, type ChatStore } from './elicitation/chat.ts';
import { createFederation, type Federation } from './users/federation.ts';
import { createDelegations, type Delegations } from './users/delegations.ts';
import { createDirectory, type DirectoryStore } from './users/directory.ts';
import { createDueTimers, type DueTimers } from './elicitation/due-timers.ts';
import type { Database } from './database/database.ts';
import { createEpochs, type Epochs } from './database/epochs.ts';
import { createReadLastBackup } from './backup/last-backup.ts';
import { createReadGauges, type ReadGauges } from './gauges.ts';
import { createGrants, type Grants } from './elicitation/grants.ts';
import { createContents, type Contents } from './keeping/contents.ts';
import { createHolds, type Holds } from './keeping/holds.ts';
import { createInboxReader, type InboxReader } from './inbox/inbox.ts';
import { createLoad, type Load } from './elicitation/load.ts';
import { createReadSnapshot, type ReadSnapshot } from './snapshot.ts';
import { createMerkleLog, type MerkleLog } from './log/merkle-log.ts';
import { createNotifications, type Notifications } from './notifications/notifications.ts';
import { createCredentials, type Credentials } from './users/credentials.ts';
import { createSavedViews, type SavedViews } from './users/saved-views.ts';
import { createDevices, type Devices } from './users/devices.ts';
import { createPasskeys, type Passkeys } from './users/passkeys.ts';
import { createSecondFactors, type SecondFactors } from './users/second-factors.ts';
import { createWebhooks, type Webhooks } from './notifications/webhooks.ts';
import { createOutbox, type Outbox } from './elicitation/outbox.ts';
import { createEntrySearch, type EntrySearch } from './log/entry-search.ts';
import { createStreams, type Streams } from './log/streams.ts';
import { createApprovals, type Approvals } from './log/approvals.ts';
import { createSignInChanges, type SignInChanges } from './log/sign-in-changes.ts';
import { createInsightTotals, type InsightTotals } from './log/insight-totals.ts';
import { createInsightsReader, type InsightsReader } from './log/insights.ts';
import { createAskedNames, type AskedNames } from './log/asked-names.ts';
import { createReports, type Reports } from './log/reports.ts';
import { createPastRequests, type PastRequests } from './elicitation/past-requests.ts';
import { createPageProofs, type PageProofs } from './elicitation/page-proofs.ts';
import { createUsers, type Users } from './users/users.ts';
import { createPolicies, type Policies } from './policies.ts';
import { createProceedings, type Proceedings } from './elicitation/proceedings.ts';
import { createReader, type Reader } from './elicitation/reader.ts';
import { createAdminTokens, type AdminTokens } from './users/admin-tokens.ts';
import { createWorkloads, type Workloads } from './users/workloads.ts';
import { createScimTokens, type ScimTokens } from './users/scim-tokens.ts';
import { createServers, type Servers } from './users/servers.ts';
import { createServerTools, type ServerTools } from './users/server-tools.ts';
import { createVisibility, type VisibilityStore } from './elicitation/visibility.ts';
import { createStops, type Stops } from './elicitation/stops.ts';
import { createTokens, type Tokens } from './elicitation/tokens.ts';
import { createToolCalls, type ToolCalls } from './elicitation/tool-calls.ts';
import { createNodes, type Nodes } from './nodes.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createTransactor, type OnCommit, type Transactor } from './transactor.ts';

/** Everything that is stored, by what it is for. */
export interface Store {
  reader: Reader;
  proceedings: Proceedings;
  transactor: Transactor;
  toolCalls: ToolCalls;
  inbox: InboxReader;
  pastRequests: PastRequests;
  visibility: VisibilityStore;
  outbox: Outbox;
  dueTimers: DueTimers;
  users: Users;
  directory: DirectoryStore;
  federation: Federation;
  delegations: Delegations;
  policies: Policies;
  epochs: Epochs;
  load: Load;
  grants: Grants;
  stops: Stops;
  contents: Contents;
  holds: Holds;
  servers: Servers;
  scimTokens: ScimTokens;
  adminTokens: AdminTokens;
  workloads: Workloads;
  serverTools: ServerTools;
  tokens: Tokens;
  pageProofs: PageProofs;
  merkleLog: MerkleLog;
  readLog: ReadSnapshot;
  chat: ChatStore;
  notifications: Notifications;
  webhooks: Webhooks;
  devices: Devices;
  passkeys: Passkeys;
  secondFactors: SecondFactors;
  credentials: Credentials;
  savedViews: SavedViews;
  secrets: Secrets;
  accessLog: AccessLog;
  entries: EntrySearch;
  cosignatures: Cosignatures;
  reports: Reports;
  askedNames: AskedNames;
  streams: Streams;
  insights: InsightsReader;
  insightTotals: InsightTotals;
  approvals: Approvals;
  signInChanges: SignInChanges;
  nodes: Nodes;
  readGauges: ReadGauges;
  readLastBackup: ReturnType<typeof createReadLastBackup>;
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
    load: createLoad(database),
    grants: createGrants(ledger),
    stops: createStops(ledger),
    contents: createContents(ledger),
    holds: createHolds(ledger),
    servers: createServers(ledger),
    scimTokens: createScimTokens(ledger),
    adminTokens: createAdminTokens(ledger),
    workloads: createWorkloads(ledger),
    serverTools: createServerTools(ledger),
    tokens: createTokens(database),
    pageProofs: createPageProofs(database),
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
