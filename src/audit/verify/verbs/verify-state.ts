import { readEntry, type StoredEvent } from '../../entries/rules/entry.ts';
import { stateFault, takeEntries, type ToldRows, type TurnedEntry } from '../rules.ts';
import { idPrefixes } from '#platform/model/id';
import type { Snapshot, StatePage, StateSnapshot } from '#platform/database/snapshot';
import type { Engine } from '#platform/nodes/verbs/engine';
import { type KeyRing, kidOfBox } from '#platform/crypto/key-ring';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '#requests/state/store/row';
import { openQuestion } from '#requests/asking/verbs/question';
import { nameAt } from '#platform/model/identity';
import type { LinkedIdentity } from '#people/accounts/store';
import { hashesOfName } from '../../entries/verbs.ts';
import { readSignature, signatureFault, type PasskeyEvent, type VoteEvent } from '../../tree/rules/notes.ts';
import { formatFault, outcomeFault } from '../../receipts/rules.ts';
import type { Presence } from '#people/directory/contract/presence';

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

/** The name of each person in these entries, by id: ids are the same text wherever an entry names someone. */
export function namesIn(entries: { body: Uint8Array }[], names: ReadonlyMap<string, string>): Record<string, string> {
  const ids = entries.flatMap(
    ({ body }) =>
      Buffer.from(body)
        .toString('utf8')
        .match(/usr_[\w-]+/g) ?? [],
  );
  return Object.fromEntries([...new Set(ids)].map((id) => [id, names.get(id) ?? id]));
}

/**
 * The first of these requests whose content does not open, as a sentence; null if all do. The owner and the data key
 * are sealed for their place and change with the secrets, so no entry covers them. Rows sealed under an unknown secret
 * are skipped. The content that an entry calls erased has no key.
 */
function contentFault(ring: KeyRing, requests: ElicitationRow[], erased: ReadonlySet<string>): string | null {
  const back = requests.find(({ id, dataKey }) => dataKey && erased.has(id));
  if (back) return `The content of the row ${back.id} is back, though the log says that it was erased.`;
  const closed = requests.find((row) => !erased.has(row.id) && isKnown(ring, row) && !opens(ring, row));
  return closed ? `The content of the row ${closed.id} does not open: it was changed without the server.` : null;
}

const isKnown = (ring: KeyRing, { dataKey }: ElicitationRow): boolean => {
  const kid = dataKey && ignoring(() => kidOfBox(dataKey));
  return kid === null || ring.kids.includes(kid);
};

const opens = (ring: KeyRing, row: ElicitationRow): boolean => ignoring(() => openQuestion(ring, row)) !== null;

function ignoring<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/**
 * The first identity that lets someone sign in as a person who does not have it as a name, or that counts for another
 * administrator than the log says, as a sentence. The log covers the names with the row of the person.
 */
function identityFault(
  ring: KeyRing,
  identities: readonly LinkedIdentity[],
  connecting: readonly Uint8Array[],
): string | null {
  const connections = byPerson(connecting.map(readEntry).filter((event) => event.type === 'user.provider-connected'));
  for (const identity of identities) {
    const which = `The identity of ${identity.userId} at ${identity.issuer}`;
    if (!identity.subjects.includes(nameAt(identity)))
      return `${which} is none of their names in the log: it was added without the server.`;
    const own = connections.get(identity.userId) ?? [];
    if ((connectionOf(ring, identity, own)?.countsFor ?? null) !== identity.linkedById)
      return `${which} counts for another administrator than the log says: it was changed without the server.`;
  }
  return null;
}

type Connection = Extract<StoredEvent, { type: 'user.provider-connected' }>;

function byPerson(connections: readonly Connection[]): ReadonlyMap<string, Connection[]> {
  const people = new Map<string, Connection[]>();
  for (const connection of connections)
    people.set(connection.user, [...(people.get(connection.user) ?? []), connection]);
  return people;
}

/** The last entry that connected it; of one from before a secret that is gone, the last about this person and provider. */
function connectionOf(
  ring: KeyRing,
  identity: LinkedIdentity,
  ofPerson: readonly Connection[],
): Connection | undefined {
  const own = ofPerson.filter(({ provider }) => provider === identity.issuer);
  if (own.length === 0) return undefined;
  const hashes = hashesOfName(ring, 'identity', nameAt(identity));
  return own.findLast((event) => hashes.includes(event.identity)) ?? own.at(-1);
}

/** A passkey as the log has it: the entry that added it, and the time from which it signs nothing more. */
interface LoggedPasskey {
  added: PasskeyEvent;
  removedAt: string | null;
}

export function passkeysIn(entries: Uint8Array[]): Map<string, LoggedPasskey> {
  const passkeys = new Map<string, LoggedPasskey>();
  for (const event of entries.map(readEntry)) {
    if (event.type === 'user.passkey-added') passkeys.set(event.passkey, { added: event, removedAt: null });
    const logged = event.type === 'user.passkey-removed' ? passkeys.get(event.passkey) : undefined;
    if (logged) logged.removedAt = event.at;
  }
  return passkeys;
}

/**
 * The first vote of these requests that its voter's device did not sign though the policy needs that, or whose signature
 * does not hold or has counted before, as a sentence. Who holds every secret of the server still holds no key of a device.
 */
export async function unsignedFault(
  { entries, signatures }: Pick<StatePage, 'entries' | 'signatures'>,
  passkeys: ReadonlyMap<string, LoggedPasskey>,
): Promise<string | null> {
  const needed = new Map<string, Presence>();
  const nonces = new Set<string>();
  for (const { body } of entries) {
    const event = readEntry(body);
    if (event.type === 'elicitation.opened' || event.type === 'elicitation.edited')
      needed.set(event.elicitation, event.presence ?? 'none');
    if (event.type !== 'elicitation.voted') continue;
    const opposite = outcomeFault(event);
    if (opposite) return opposite;
    const isNeeded = event.action === 'accept' && needed.get(event.elicitation) === 'passkey';
    const fault = await faultOf(event, isNeeded, signatures, passkeys);
    if (fault) return fault;
    const signature = signatures.get(event.vote);
    const nonce = signature === undefined ? undefined : readSignature(signature)?.nonce;
    if (nonce === undefined) continue;
    // Each nonce is given out for one vote: one that was withdrawn is not cast again with what a device had signed.
    if (nonces.has(nonce)) return formatFault(event, 'passkey-challenge');
    nonces.add(nonce);
  }
  return null;
}

/** Milliseconds: a vote that was under way when its passkey was removed may be written after that. */
const maxVoteMs = 60_000;

const wasInUse = ({ added, removedAt }: LoggedPasskey, { at }: VoteEvent): boolean =>
  added.at <= at && (removedAt === null || Date.parse(at) <= Date.parse(removedAt) + maxVoteMs);

async function faultOf(
  event: VoteEvent,
  isNeeded: boolean,
  signatures: ReadonlyMap<string, string>,
  passkeys: ReadonlyMap<string, LoggedPasskey>,
): Promise<string | null> {
  const text = signatures.get(event.vote);
  if (!event.device) {
    if (isNeeded) return formatFault(event, 'its policy needs a passkey');
    return text === undefined ? null : formatFault(event, 'its entry names no signature');
  }
  const logged = passkeys.get(event.device.passkey);
  if (!logged || !wasInUse(logged, event)) return formatFault(event, 'the passkey was not in the log at that time');
  return formatFault(event, await signatureFault(event, text ?? '', logged.added));
}
