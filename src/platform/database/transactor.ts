import type { Prisma } from './generated/prisma/client.ts';
import type { ElicitationId } from '../model/id.ts';
import { batch, type InCommit } from './database.ts';
import { queryIn } from './connection.ts';
import { holdVotes } from './epochs.ts';
import { Problem } from '../model/problem.ts';
import { changeStatement } from '#requests/state/store/change-statement';
import { openingStatement, type Opening, type OutboxEvent, type StoredEvent } from '#requests/asking/store/opening';
import { nextRow, type ElicitationChange, type ElicitationRow } from '#requests/state/store/row';
import type { Ledger } from '#audit/entries/store/entries';

/** Called after each commit with the changes to announce, and whether other nodes need them. */
export type OnCommit = (events: CommittedEvent[], hasOthers: boolean) => void;

/** A committed event of this node, with the row as stored; an opening has none. */
export type CommittedEvent = OutboxEvent & { row?: ElicitationRow };

/** The only writer of elicitations. Each promise resolves after commit. */
export function createTransactor({ query, evidence }: Ledger, onCommit: OnCommit) {
  const commit = async (statement: Prisma.Sql, rowOf: RowOf): Promise<Set<ElicitationId>> =>
    announce(await query<StoredEvent>(statement), rowOf);
  const announce = (stored: StoredEvent[], rowOf: RowOf): Set<ElicitationId> => {
    const events = stored.map(({ hasOthers: _for, ...event }) => ({ ...event, ...rowOf(event.elicitationId) }));
    const hasOthers = stored.some((event) => event.hasOthers);
    if (events.length > 0) onCommit(events, hasOthers);
    return new Set(events.map(({ elicitationId }) => elicitationId));
  };
  const open = batch(async (openings: Opening[]) => {
    const first = firstOpenings(openings);
    const ids = await commit(openingStatement(evidence, first), () => null);
    return openings.map((opening) => first.includes(opening) && ids.has(opening.elicitation.id));
  });
  const change = batch(async (changes: ElicitationChange[]) => {
    const first = firstOfEach(changes);
    const ids = await commit(changeStatement(evidence, [...first.values()]), (id) => rowAfter(first.get(id)));
    return changes.map((change) => first.get(change.row.id) === change && ids.has(change.row.id));
  });
  const changeWithin = async (next: ElicitationChange, within: Within): Promise<boolean> => {
    let stored: StoredEvent[] | null = null;
    try {
      await within(async (tx) => {
        stored = null;
        await holdVotes(tx); // before the statement, so that two of these do not wait for each other
        stored = await queryIn(tx)<StoredEvent>(changeStatement(evidence, [next]));
        if (stored.length === 0) throw new Problem('write-conflict');
      });
    } catch (error) {
      if (isBeaten(stored)) return false;
      throw error;
    }
    return announce(stored ?? [], () => rowAfter(next)).has(next.row.id);
  };
  return {
    /**
     * Stores call, elicitation, audit entry and outbox row in one statement.
     * Returns false and stores nothing if it was stored before, the call's name or the step is taken, an equal request already waits for a call
     * without a name, the grant is used up, a stop covers it, or the people, policies or keys it was judged by have changed. If
     * two race, one gets true.
     */
    open /**
     * Stores the next state, vote, audit entry and outbox row in one statement.
     * Returns false and stores nothing if the row is no longer at `version`. If several race, one gets true. With `within`,
     * other changes commit together with it, or none does.
     */,
    change: (next: ElicitationChange, within?: Within): Promise<boolean> =>
      within ? changeWithin(next, within) : change(next),
  };
}

/** Commits other changes with this one, which is stored before them: it checks the epochs that they move. */
export type Within = (store: InCommit) => Promise<void>;

const isBeaten = (stored: StoredEvent[] | null): boolean => stored?.length === 0;

export type Transactor = ReturnType<typeof createTransactor>;

type RowOf = (id: ElicitationId) => { row: ElicitationRow } | null;

const rowAfter = (change: ElicitationChange | undefined) => (change ? { row: nextRow(change) } : null);

/** First use of each row and grant in one statement; copies wait for the next. */
function firstOpenings(openings: Opening[]): Opening[] {
  const stored = new Set<string>();
  return openings.filter(({ elicitation: { id }, grant }) => {
    if (stored.has(id) || (grant && stored.has(grant.row.id))) return false;
    stored.add(id).add(grant?.row.id ?? id);
    return true;
  });
}

/** Drops a second change of one row, or turn of one person: both cannot win, so it fails without being sent. */
function firstOfEach(changes: ElicitationChange[]): Map<ElicitationId, ElicitationChange> {
  const first = new Map<ElicitationId, ElicitationChange>();
  const turns = new Set<string>();
  for (const change of changes) {
    if (first.has(change.row.id) || (change.turn && turns.has(change.turn.user))) continue;
    first.set(change.row.id, change);
    if (change.turn) turns.add(change.turn.user);
  }
  return first;
}
