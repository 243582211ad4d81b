import { auditEntry, leafHash } from '../../entries/rules/entry.ts';
import { assertMay } from '#people/directory/verbs/may';
import { logSigners, openCheckpoint, type KeptHead } from '../../tree/rules/checkpoint.ts';
import { closeBox, openBox, kidOfMac, provingKids, type KeyRing } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { Problem, invalidInput } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { Snapshot } from '#platform/database/snapshot';
import type { Engine } from '#platform/nodes/verbs/engine';
import { verifyState } from './verify-state.ts';
import { checkCheckpoint, entryFault, tileFault, type PlacedEntry } from '../rules.ts';
import { createEvidence, type Evidence } from '../../entries/rules/evidence.ts';
import { rootHash, edgeTiles, growTiles, nodesIn, tileWidth, type Tile } from '../../tree/rules/merkle.ts';
import {
  parseCosignerKey,
  type CosignatureVerifier,
  parseVerifierKey,
  type NoteVerifier,
} from '../../tree/rules/notes.ts';
import { checkpointIn } from '../../receipts/rules.ts';
import { checkHead, provenWord, type Witnessed } from '../../tree/verbs.ts';
import type { StandingProof } from '../../search/contract.ts';

/** Rejects with `database-unavailable` if the database does not answer; else the latest proof of the log, if any. */
export type CheckReadiness = () => Promise<StandingProof | null>;

/** Callers who ask while one is being answered share its answer: one statement is under way at a time. */
export function createReadiness(reader: ProofReader): CheckReadiness {
  let current: Promise<StandingProof | null> | null = null;
  return () => (current ??= latestProof(reader).finally(() => (current = null)));
}

type ProofEngine = Pick<Engine, 'nodes' | 'readLog' | 'ring' | 'now' | 'accessLog'>;

/** Parts that read the proofs of all nodes. */
interface ProofReader {
  nodes: Pick<Engine['nodes'], 'proofs'>;
  ring: Engine['ring'];
}

/** Milliseconds. */
const day = 86_400_000;
/** Milliseconds after which everything is verified again from the first entry, and every row compared with the log. */
const wholeIntervalMs = 3_600_000;

/**
 * Verifies what the log has grown by, each time it is called: of all living nodes one does. Now and then it begins
 * again, and compares every row. The result is sealed where every node reads it, and an entry if it changed. Returns the
 * first fault as a sentence; null if there is none, or another node looks.
 */
export function createStandingProof(engine: ProofEngine, node: string): () => Promise<string | null> {
  const { nodes, readLog, ring, now } = engine;
  let lastRound: Round | null = null;
  return async () => {
    if ((await nodes.live())[0]?.id !== node) {
      lastRound = null;
      return null;
    }
    const at = now();
    const current = lastRound && at < lastRound.begunAt + wholeIntervalMs ? lastRound : null;
    const { round, fault } = await readLog(async (snapshot) => {
      const next = current ?? { begunAt: at, check: beginCheck(ring, snapshot.origin, { keys: [], kept: [] }) };
      return { round: next, fault: await faultOf(engine, snapshot, next.check, current === null) };
    });
    const proof = { size: round.check.size, at, isWhole: fault === null };
    await keep(engine, node, proof);
    await recordProof(engine, proof);
    lastRound = fault === null ? round : null; // what is repaired is seen at the next look
    return fault;
  };
}

interface Round {
  begunAt: number;
  check: Check;
}

/** The first fault of what the log has grown by, and of the rows too if they are to be compared. */
async function faultOf(
  { ring }: Pick<Engine, 'ring'>,
  snapshot: Snapshot,
  check: Check,
  withRows: boolean,
): Promise<string | null> {
  check.verifiers = logSigners(ring, snapshot.origin); // a secret may have been added since
  await continueCheck(snapshot, check);
  return check.fault ?? (withRows ? (await verifyState({ ring }, snapshot)).fault : null);
}

const keep = ({ nodes, ring }: ProofEngine, node: string, proof: StandingProof): Promise<void> =>
  nodes.keepProof(node, closeBox(ring, 'proof', [node], JSON.stringify(proof)));

/** An entry when the result changes, and once a day, so that entries about looks cause none. The operator's runs count too. */
function recordProof({ accessLog }: ProofEngine, { size, at, isWhole }: StandingProof): Promise<void> {
  const entry = auditEntry(newId('entry'), at, { kind: 'timer' }, { type: 'log.verified', size, isWhole });
  return accessLog.appendUnless(
    entry,
    (latest) => latest.type === 'log.verified' && latest.isWhole === isWhole && at < Date.parse(latest.at) + day,
  );
}

/** The latest result of any living node; null before the first, or if none was written by a node. */
export async function latestProof({ nodes, ring }: ProofReader): Promise<StandingProof | null> {
  const proofs = (await nodes.proofs()).flatMap(({ id, proof }) => open(ring, id, proof) ?? []);
  return proofs.toSorted((proof, other) => other.at - proof.at)[0] ?? null;
}

/** Shows the latest proof to administrators and reviewers. */
export function showProof(engine: Pick<Engine, 'nodes' | 'ring'>, user: User): Promise<StandingProof | null> {
  assertMay(user, 'read-log');
  return latestProof(engine);
}

/** Null for one that no node wrote, or under a secret that is gone. */
function open(ring: Engine['ring'], node: string, box: Uint8Array): StandingProof | null {
  try {
    return JSON.parse(openBox(ring, 'proof', [node], box).toString('utf8')) as StandingProof;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

export interface LogReport {
  origin: string;
  /** The number of verified entries, and their root in base64. */
  size: number;
  root: string;
  checkpoints: number;
  /** Checkpoints signed only by keys that are no longer in the ring. They still agree with the entries. */
  unverified: number;
  /** Entries whose MAC is under a secret that is unknown here: what rests on them is not used, though they are as they were logged. */
  unproven: number;
  /** Entries that wait for the next checkpoint. */
  waiting: number;
  /** Rows that were compared with the log. */
  rows: number;
  /** Were the views of reviewers compared with the migrations? Not if there is a fault before, and not every login may. */
  areViewsCompared: boolean;
  /** View of the log by each witness that was asked for. */
  witnessed: Witnessed[];
  /** The first fault, as a sentence; null if there is none. */
  fault: string | null;
}

export interface VerifyLogRequest {
  /** Verifier keys that are trusted in addition to those of the ring. */
  keys: string[];
  /** Checkpoints or receipts kept elsewhere: they show whether the log was cut short. */
  kept: string[];
  /** Verifier keys of witnesses who must have cosigned the log. */
  witnesses?: string[];
  /** Heads that were kept outside of the database before the log is read, and where: it must continue each. */
  places?: { path: string; head: KeptHead }[];
  /** Told after each page: so many entries of so many were verified. */
  onProgress?: OnProgress;
}

type OnProgress = (done: number, size: number) => void;

/** Progress of a verification; the next look goes on from there. */
export interface Check extends Omit<LogReport, 'root' | 'waiting' | 'rows' | 'areViewsCompared' | 'witnessed'> {
  evidence: Evidence;
  ring: KeyRing;
  verifiers: NoteVerifier[];
  kept: { size: number; note: string }[];
  edge: Tile[];
  /** The size of the last checkpoint that a known key signed. */
  verifiedSize: number;
}

const pageSize = 2048;

/**
 * Rebuilds the whole log from its entries: tiles, roots, and every checkpoint ever signed. Then compares every row with
 * the log. Changes nothing.
 */
export const verifyLog = (
  { readLog, ring }: Pick<Engine, 'readLog' | 'ring'>,
  request: VerifyLogRequest,
): Promise<LogReport> =>
  readLog(async (snapshot) => {
    const check = beginCheck(ring, snapshot.origin, request);
    const waiting = await continueCheck(snapshot, check, request.onProgress);
    const witnessed = await takeWitnesses(snapshot, check, (request.witnesses ?? []).map(parseCosignerKey));
    const state = check.fault
      ? { rows: 0, fault: check.fault, areViewsCompared: false }
      : await verifyState({ ring }, snapshot);
    const { origin, size, checkpoints, unverified, unproven, edge } = check;
    const root = rootHash(nodesIn(edge), size).toString('base64');
    return { origin, size, root, checkpoints, unverified, unproven, waiting, witnessed, ...state };
  });

/** Verifies for the operator, with an entry of its own, which waits for its place. */
export async function verifyAndRecord(
  engine: Pick<Engine, 'readLog' | 'ring' | 'accessLog' | 'now' | 'merkleLog'>,
  { places = [], ...request }: VerifyLogRequest,
): Promise<LogReport> {
  const report = await verifyLog(engine, request);
  for (const { path, head } of places)
    await checkHead(engine, head).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'proof-invalid')) throw error;
      report.fault ??= `The log does not continue the head that is kept in ${path}. ${error.message}`;
    });
  const event = { type: 'log.verified', size: report.size, isWhole: report.fault === null } as const;
  await engine.accessLog.append(auditEntry(newId('entry'), engine.now(), { kind: 'operator' }, event));
  return report;
}

/** A checkpoint that was cosigned agrees with the entries by now; that one of each witness is there shows the rest. */
async function takeWitnesses(snapshot: Snapshot, check: Check, verifiers: CosignatureVerifier[]): Promise<Witnessed[]> {
  if (check.fault) return [];
  const stored = await snapshot.cosignatures();
  const words = verifiers.map((verifier) => {
    const word = stored.find(({ witness }) => witness === verifier.name);
    return word ? provenWord(word, verifier) : null;
  });
  const missing = verifiers.find((_, at) => !words[at]);
  if (missing) check.fault = `The witness ${missing.name} has cosigned no checkpoint of this log.`;
  return words.flatMap((word) => (word ? [{ name: word.name, size: word.size, at: word.at }] : []));
}

/** A verification that has seen nothing yet. */
export function beginCheck(ring: KeyRing, origin: string, { keys, kept }: VerifyLogRequest): Check {
  const verifiers = [...logSigners(ring, origin), ...keys.map((key) => readKey(key, origin))];
  const keptHeads = kept.map((text, at) => readKept(text, verifiers, at + 1));
  const counts = { size: 0, checkpoints: 0, unverified: 0, unproven: 0, verifiedSize: 0, fault: null };
  return { origin, verifiers, kept: keptHeads, edge: [], evidence: createEvidence(ring, () => {}), ring, ...counts };
}

/** Verifies what the log has grown by, and that nothing is missing or outside of it. Returns how many entries wait. */
export async function continueCheck(
  snapshot: Snapshot,
  check: Check,
  onProgress: OnProgress = () => {},
): Promise<number> {
  const size = snapshot.head?.size ?? 0;
  for (let isMore = true; isMore && !check.fault;) {
    isMore = await takePage(snapshot, check);
    onProgress(check.size, size);
  }
  check.fault ??= await endFault(snapshot, check);
  const waiting = await snapshot.waiting();
  check.fault ??= waitingFault(check.evidence, waiting) ?? (await snapshot.missing())[0] ?? null;
  return waiting.length;
}

/** A key of another log says nothing of this one. */
function readKey(text: string, origin: string): NoteVerifier {
  const key = parseVerifierKey(text);
  if (key.name === origin) return key;
  throw invalidInput(['key'], `Give a former key of the log ${origin}: this one is of ${key.name}.`);
}

/** A kept file, the first or a later one: a receipt or a checkpoint of this log that one of these keys signed. */
function readKept(text: string, verifiers: NoteVerifier[], place: number): { size: number; note: string } {
  const note = checkpointIn(text) ?? text;
  const checkpoint = openCheckpoint(note, verifiers);
  if (checkpoint) return { size: checkpoint.size, note };
  const message =
    'Give a checkpoint or receipt of this log that a known key has signed, byte for byte. If its secret was retired, give its key with --key.';
  throw invalidInput(['kept', place], message);
}

/** Checks the next entries. Returns whether there may be more. */
async function takePage(snapshot: Snapshot, check: Check): Promise<boolean> {
  const entries = await snapshot.entries(check.size, pageSize);
  const fault = entries.map((entry, at) => entryFault(entry, check.size + at)).find((sentence) => sentence !== null);
  if (fault) return fail(check, fault);
  const upTo = check.size + entries.length;
  const grown = growTiles(check.edge, check.size, entries.map(hashOf));
  const tiles = [...check.edge, ...grown];
  const wrongTile = tileFault(grown, await snapshot.tiles(grown));
  if (wrongTile) return fail(check, wrongTile);
  const isInPage = ({ size }: { size: number }): boolean => size > check.size && size <= upTo;
  const stored = await snapshot.checkpoints(check.size, upTo);
  takeCheckpoints(check, stored, tiles);
  for (const kept of check.kept.filter(isInPage)) check.fault ??= wrongHead(check, kept, tiles);
  check.fault ??= entries.map((entry) => macFault(entry, check)).find((sentence) => sentence !== null) ?? null;
  check.unproven += entries.filter((entry) => !isProvable(entry, check)).length;
  check.edge = edgeTiles(upTo).flatMap(({ level, n }) => {
    return tiles.findLast((tile) => tile.level === level && tile.n === n) ?? [];
  });
  check.size = upTo;
  return entries.length === pageSize;
}

/** An entry whose secret is unknown here is still under a checkpoint. */
const macFault = ({ index, entryId, stored }: PlacedEntry, { evidence, ring }: Check): string | null => {
  if (!stored || !isProvable({ stored }, { ring })) return null;
  const isOurs = evidence.open({ id: entryId, body: stored.body, mac: stored.mac }) !== null;
  return isOurs ? null : `The entry ${entryId} at place ${index} was not written by this installation.`;
};

const isProvable = ({ stored }: Pick<PlacedEntry, 'stored'>, { ring }: Pick<Check, 'ring'>): boolean =>
  stored !== null && provingKids(ring).includes(kidOfMac(stored.mac));

type Waiting = Awaited<ReturnType<Snapshot['waiting']>>;

function waitingFault(evidence: Evidence, waiting: Waiting): string | null {
  const isOurs = (entry: Waiting[number]): boolean =>
    evidence.open(entry) !== null && leafHash(entry.body).equals(entry.leafHash);
  const strange = waiting.find((entry) => !isOurs(entry));
  return strange ? `The waiting entry ${strange.id} was not written by this installation.` : null;
}

const hashOf = ({ stored }: PlacedEntry): Buffer => leafHash(stored?.body ?? Buffer.alloc(0));

function takeCheckpoints(check: Check, stored: { size: number; note: string }[], tiles: Tile[]): void {
  const log = { ...check, nodes: nodesIn(tiles) };
  for (const checkpoint of stored) {
    const checked = checkCheckpoint(checkpoint, log);
    if ('fault' in checked) {
      check.fault = checked.fault;
      return;
    }
    check.checkpoints += 1;
    if (checked.isVerified) check.verifiedSize = checkpoint.size;
    else check.unverified += 1;
  }
}

function wrongHead(check: Check, kept: { size: number; note: string }, tiles: Tile[]): string | null {
  const checked = checkCheckpoint(kept, { ...check, nodes: nodesIn(tiles) });
  return 'fault' in checked ? checked.fault : null;
}

function fail(check: Check, fault: string): false {
  check.fault = fault;
  return false;
}

/** Checks that need the whole log: a missing end, and entries outside the log. */
async function endFault(snapshot: Snapshot, { size, verifiedSize, kept }: Check): Promise<string | null> {
  const beyond = [...(await snapshot.checkpoints(size, Number.MAX_SAFE_INTEGER)), ...kept].find(
    (checkpoint) => checkpoint.size > size,
  );
  if (beyond)
    return `The log ends after ${size} entries, but a checkpoint over ${beyond.size} was signed: it was cut off.`;
  if (verifiedSize < size) return `No checkpoint of a known key covers the entries from place ${verifiedSize} on.`;
  if ((await snapshot.tileHashes()) !== hashesIn(size)) return 'The log has tiles that do not belong to it.';
  const stray = await snapshot.stray();
  return stray === null ? null : `The entry ${stray} was added outside the log.`;
}

/** How many hashes the tiles of a log of this size hold. */
function hashesIn(size: number): number {
  let hashes = 0;
  for (let width = size; width > 0; width = Math.floor(width / tileWidth)) hashes += width;
  return hashes;
}
