import { readEntry } from '../../../entries/rules/entry/entry.ts';
import { stateFault, takeEntries, type ToldRows, type TurnedEntry } from '../../rules/state-check.ts';
import { idPrefixes } from '#platform/model/id';
import type { Snapshot } from '#platform/database/snapshot/snapshot';
import type { StatePage, StateSnapshot } from '#platform/database/snapshot/state-snapshot';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { contentFault } from './content-fault.ts';
import { identityFault } from './identity-fault.ts';
import { passkeysIn, unsignedFault } from './unsigned-fault.ts';

interface StateReport {
  /** The number of rows compared with the log. */
  rows: number;
  /** The first row that does not follow from the log, as a sentence. */
  fault: string | null;
}

/**
 * Compares every row with the log, the log with the rows, and the views of both with the migrations. The log itself is already
 * verified.
 */
export async function verifyState({ ring }: Pick<Engine, 'ring'>, snapshot: Snapshot) {
  const passkeys = passkeysIn(await snapshot.passkeyEntries());
  const passes = [
    () =>
      walk(
        snapshot.requestPage,
        isOfRequest,
        async (page) =>
          contentFault(ring, page.requests, erasedIn(page.entries)) ?? (await unsignedFault(page, passkeys)),
      ),
    () => walk(snapshot.callPage, isCall),
    () => walk(snapshot.grantPage, isGrant),
    () => verifyHouse(snapshot),
    async () => ({
      rows: 0,
      fault: identityFault(ring, await snapshot.identities(), await snapshot.connectingEntries()),
    }),
    async () => ({ rows: 0, fault: goneFault(await snapshot.gone()) }),
  ];
  let rows = 0;
  for (const pass of passes) {
    const report = await pass();
    rows += report.rows;
    if (report.fault) return { rows, fault: report.fault, areViewsCompared: false };
  }
  const changed = await snapshot.changedViews();
  return { rows, fault: changed?.[0] ?? null, areViewsCompared: changed !== null };
}

const erasedIn = (entries: TurnedEntry[]): Set<string> =>
  new Set(
    entries
      .map(({ body }) => readEntry(body))
      .flatMap((event) => (event.type === 'content.erased' ? [event.elicitation] : [])),
  );

type IsWanted = (rowId: string) => boolean;

const isCall: IsWanted = (id) => id.startsWith(`${idPrefixes.toolCall}_`);
const isGrant: IsWanted = (id) => id.startsWith(`${idPrefixes.grant}_`);
const isOfRequest: IsWanted = (id) => !isCall(id) && !isGrant(id);

async function walk(
  read: (after: string) => Promise<StatePage>,
  isWanted: IsWanted,
  check: (page: StatePage) => Promise<string | null> = async () => null,
): Promise<StateReport> {
  let rows = 0;
  for (let after: string | null = ''; after !== null;) {
    const page: StatePage = await read(after);
    const latest: ToldRows = new Map();
    rows += Object.keys(page.rows).length;
    const fault = takeEntries(latest, page.entries, isWanted) ?? stateFault(latest, page.rows) ?? (await check(page));
    if (fault) return { rows, fault };
    after = page.next;
  }
  return { rows, fault: null };
}

/** People, groups, spaces, roles, servers, keys, delegations, policies, stops and holds: few enough to hold in memory. */
async function verifyHouse(snapshot: StateSnapshot): Promise<StateReport> {
  const latest: ToldRows = new Map();
  let last: { idx: number; seq: bigint } | null = null;
  do {
    const entries: Awaited<ReturnType<StateSnapshot['houseEntries']>> = await snapshot.houseEntries(last);
    const fault = takeEntries(latest, entries, () => true);
    if (fault) return { rows: 0, fault };
    last = entries.at(-1) ?? null;
  } while (last !== null);
  const rows = await snapshot.house();
  return { rows: Object.keys(rows).length, fault: stateFault(latest, rows) };
}

const goneFault = (id: string | null): string | null =>
  id && `The row ${id} is missing, though the log has entries for it.`;
