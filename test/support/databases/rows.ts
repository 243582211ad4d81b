import { randomBytes, randomUUID } from 'node:crypto';
import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import { begin, step, type StepEvent } from '#requests/machine/rules/step';
import type { ElicitationId, ServerId, ToolCallId, UserId } from '#platform/model/id';
import type { Role } from '#people/directory/contract/permission';
import { openDatabase, type Database } from '#platform/database/database';
import type { NewUser } from '#people/directory/store/tables';
import { readersOf, type ElicitationChange, type ElicitationRow, type NewElicitation } from '#requests/state/store/row';
import { createStore, type Store } from '#platform/database/store';
import type { Opening } from '#requests/asking/store/opening';
import { freshDatabase } from './database.ts';
import { testEvidence } from '../audit/evidence.ts';
import { stageOf } from '../requests/stages.ts';
import { nodeUrl } from './node-login.ts';
import { someProgress } from '../requests/request-facts.ts';

export interface TestStore extends Store {
  url: string;
  database: Database;
  /** An MCP server that may ask. */
  serverId: ServerId;
  /** How often a commit was told. */
  commits(): number;
  newServer(name: string): Promise<ServerId>;
  newUser(role?: Role): Promise<UserId>;
  /** All values of one statement's rows, in one list. */
  query(sql: string, values?: unknown[]): Promise<unknown[]>;
  close(): Promise<void>;
}

/** A store on a database of its own, under the role that nodes work under. */
export async function openTestStore(): Promise<TestStore> {
  const fresh = await freshDatabase();
  const database = openDatabase(nodeUrl(fresh.url));
  let commits = 0;
  const store = createStore(database, { evidence: testEvidence, onCommit: () => void (commits += 1) });
  const newServer = async (name: string): Promise<ServerId> => {
    const id = newId('server');
    await store.servers.addKey({ id, name }, { kid: randomUUID(), hash: randomBytes(32) }, entryOf());
    return id;
  };
  return {
    ...store,
    url: fresh.url,
    database,
    newServer,
    serverId: await newServer('payments'),
    commits: () => commits,
    async newUser(role = 'approver') {
      const id = newId('user');
      const user = {
        id,
        email: `${id.toLowerCase()}@example.com`,
        name: `Person ${id}`,
        role,
        passwordHash: null,
      };
      await addRow(store, user);
      return id;
    },
    async query(text, values) {
      const client = await database.pool.connect();
      try {
        await client.query('SET statement_timeout = 0'); // thousands of rows take longer on a busy machine
        const { rows } = await client.query({ text, values: values ?? [], rowMode: 'array' });
        return rows.flat();
      } finally {
        await client.query('RESET statement_timeout').catch(() => {});
        client.release();
      }
    },
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}

/** A person as they are stored, past every rule. */
export const addRow = ({ directory }: Pick<Store, 'directory'>, user: NewUser, at = Date.now()): Promise<void> =>
  directory.change(() => ({ write: { type: 'new-user', user }, entry: entryOf(at) }));

/** What the log says of a change; of this request, where one is named. */
export const entryOf = (at = Date.now(), elicitation?: ElicitationId): AuditEntry =>
  auditEntry(
    newId('entry'),
    at,
    { kind: 'operator' },
    elicitation
      ? { type: 'elicitation.caller', caller: 'waiting', ...fieldsOf(elicitation), from: 'open' }
      : { type: 'key.revoked', server: 'test', kid: 'test' },
  );

/** What the log says of a call. */
export const callEntryOf = (toolCall: ToolCallId, elicitation: ElicitationId, at = Date.now()): AuditEntry =>
  auditEntry(
    newId('entry'),
    at,
    { kind: 'operator' },
    { type: 'call.claimed', ...someProgress, toolCall, elicitation, attempt: 'a' },
  );

const openedEntry = ({
  id,
  toolCallId: toolCall,
  serverId: server,
  openedAt,
  deadlineAt,
}: NewElicitation): AuditEntry =>
  auditEntry(
    newId('entry'),
    openedAt,
    { kind: 'operator' },
    {
      type: 'elicitation.opened',
      toolCall,
      risk: 'medium',
      deadlineAt,
      requesters: [],
      ...fieldsOf(id),
      server,
      from: null,
    },
  );

const fieldsOf = (elicitation: ElicitationId) =>
  ({ ...someProgress, elicitation, digest: 'd'.repeat(64), revision: 1, to: 'open' }) as const;

type OpeningParts = Partial<NewElicitation> & { serverId: ServerId; name?: string; call?: ToolCallId };

/** What `open` stores for one question; `call` joins a call that is there, equal names are the same call. */
export function openingOf({ name = randomUUID(), call, ...parts }: OpeningParts): Opening {
  const { openedAt = Date.now(), deadlineAt = openedAt + 60_000, audience = 'approvers', mode = 'form' } = parts;
  const stages = audience === 'approvers' ? [stageOf()] : [];
  const { state } = begin({
    audience,
    mode,
    stages,
    openedAt,
    deadlineAt,
    onTimeout: 'expire',
    notBefore: null,
    reminders: [],
  });
  const toolCallId = call ?? newId('toolCall');
  const elicitation: NewElicitation = {
    id: newId('elicitation'),
    toolCallId,
    step: '0',
    tool: 'transfer',
    audience,
    mode,
    risk: 'medium',
    status: 'open',
    cause: null,
    caller: 'waiting',
    revision: 1,
    version: 0,
    state,
    openedAt,
    deadlineAt,
    closedAt: null,
    requestHash: randomBytes(32),
    digest: 'd'.repeat(64),
    policy: 'test@1',
    owner: randomBytes(40),
    dataKey: randomBytes(60),
    payload: randomBytes(80),
    sessionHash: null,
    requesterHash: randomBytes(32),
    equalHash: null,
    wish: toolCallId,
    traceparent: null,
    alsoBy: [],
    explanation: null,
    answer: null,
    ...parts,
  };
  const keyHash = Buffer.from(name.padEnd(32).slice(0, 32));
  return {
    call: call ? null : { id: elicitation.toolCallId, keyHash },
    elicitation,
    entry: openedEntry(elicitation),
    decided: null,
    grant: null,
    isSampled: false,
    isTold: false,
    shadows: [],
  };
}

/** The change an event makes of this row, as the engine would commit it. */
export function changeOf(
  request: ElicitationRow | NewElicitation,
  event: StepEvent,
  vote?: { userId: UserId; comment?: Uint8Array },
): ElicitationChange {
  const row = { serverName: 'payments', readers: readersOf(request.state), ...request };
  const { state, status, topic, alerts } = step(row.state, event);
  const { cause, caller, deadlineAt } = state.context;
  const { id, revision, digest } = row;
  return {
    row,
    status,
    cause,
    caller,
    state,
    deadlineAt,
    topics: [topic, ...alerts],
    entry: entryOf(event.at, id),
    closedAt: status === 'open' ? null : event.at,
    answer: status === 'open' ? null : randomBytes(40),
    vote: vote
      ? {
          id: newId('vote'),
          stage: 0,
          forId: null,
          action: 'accept',
          revision,
          digest,
          comment: null,
          signature: null,
          ...vote,
        }
      : null,
  };
}
