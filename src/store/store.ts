import { createChat, type ChatStore } from './chat.ts';
import { createDelegations, type Delegations } from './delegations.ts';
import { createDirectory, type DirectoryStore } from './directory.ts';
import { createDueTimers, type DueTimers } from './due-timers.ts';
import type { Database } from './database.ts';
import { createEpochs, type Epochs } from './epochs.ts';
import { createGrants, type Grants } from './grants.ts';
import { createInboxReader, type InboxReader } from './inbox.ts';
import { createLoad, type Load } from './load.ts';
import { createReadSnapshot, type ReadSnapshot } from './log-snapshot.ts';
import { createMerkleLog, type MerkleLog } from './merkle-log.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createPageProofs, type PageProofs } from './page-proofs.ts';
import { createPeople, type People } from './people.ts';
import { createPolicies, type Policies } from './policies.ts';
import { createProceedings, type Proceedings } from './proceedings.ts';
import { createReader, type Reader } from './reader.ts';
import { createServers, type Servers } from './servers.ts';
import { createTokens, type Tokens } from './tokens.ts';
import { createToolCalls, type ToolCalls } from './tool-calls.ts';
import { createTransactor, type Transactor } from './transactor.ts';

/** Everything that is stored, by what it is for. */
export interface Store {
  reader: Reader;
  proceedings: Proceedings;
  transactor: Transactor;
  toolCalls: ToolCalls;
  inbox: InboxReader;
  outbox: Outbox;
  dueTimers: DueTimers;
  people: People;
  directory: DirectoryStore;
  delegations: Delegations;
  policies: Policies;
  epochs: Epochs;
  load: Load;
  grants: Grants;
  servers: Servers;
  tokens: Tokens;
  pageProofs: PageProofs;
  merkleLog: MerkleLog;
  readLog: ReadSnapshot;
  chat: ChatStore;
}

/** `onCommit` is told after each commit that changed an elicitation. */
export const createStore = (database: Database, onCommit: () => void): Store => ({
  reader: createReader(database),
  proceedings: createProceedings(database),
  transactor: createTransactor(database, onCommit),
  toolCalls: createToolCalls(database),
  inbox: createInboxReader(database),
  outbox: createOutbox(database),
  dueTimers: createDueTimers(database),
  people: createPeople(database),
  directory: createDirectory(database),
  delegations: createDelegations(database),
  policies: createPolicies(database),
  epochs: createEpochs(database),
  load: createLoad(database),
  grants: createGrants(database),
  servers: createServers(database),
  tokens: createTokens(database),
  pageProofs: createPageProofs(database),
  merkleLog: createMerkleLog(database),
  readLog: createReadSnapshot(database),
  chat: createChat(database),
});
