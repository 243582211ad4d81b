import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '#platform/crypto/digest';
import { fromBase64, openNote, type NoteVerifier } from '../../tree/rules/notes.ts';
import { openCheckpoint, type Checkpoint, judgeNote, type NoteVerdict } from '../../tree/rules/checkpoint.ts';
import { entryLine, exportFormat, headLine, sealLine, sealText } from './file.ts';
import { leafHash } from '../../entries/rules/entry.ts';
import { isIncluded } from '../../tree/rules/merkle.ts';

/** With `no-export` nothing says that it is one. */
export type ExportVerdict = 'genuine' | NoteVerdict['verdict'] | 'no-export';

export interface CheckedExport {
  verdict: ExportVerdict;
  /** The first bad line as a sentence; null if the whole file is genuine. */
  fault: string | null;
  origin: string;
  /** The number of entries in the log, and in the file. */
  size: number;
  entries: number;
  /** Filter of these entries; empty for all. */
  filter: string[];
}

/** A file as far as it was read. */
interface Progress {
  verifiers: NoteVerifier[];
  digest: ReturnType<typeof createHash>;
  head: (Checkpoint & { filter: string[] }) | null;
  entries: number;
  /** The place of the last entry. */
  last: number;
  isSealed: boolean;
  /** Verdict on an export that ends with a fault. */
  verdict: Exclude<ExportVerdict, 'genuine'>;
  onEntry: OnEntry;
}

/** Called with each entry that the log has; the file around it is genuine only if the check ends without a fault. */
type OnEntry = (index: number, entry: unknown) => void;

/** Checks an export with these keys and nothing else. It keeps no line, so that its length does not matter. */
export async function checkExport(
  lines: AsyncIterable<Uint8Array>,
  verifiers: NoteVerifier[],
  onEntry: OnEntry = () => {},
): Promise<CheckedExport> {
  const digest = createHash('sha256');
  const progress: Progress = {
    verifiers,
    digest,
    head: null,
    entries: 0,
    last: -1,
    isSealed: false,
    verdict: 'no-export',
    onEntry,
  };
  let number = 0;
  let fault: string | null = null;
  for await (const line of lines) {
    number += 1;
    fault = lineFault(progress, line);
    if (fault !== null) break;
  }
  if (fault === null && !progress.isSealed) [number, fault] = [number + 1, 'The file was cut off here.'];
  const { head, entries } = progress;
  return {
    verdict: fault === null ? 'genuine' : progress.verdict,
    fault: fault && `Line ${number}: ${fault}`,
    origin: head?.origin ?? '',
    size: head?.size ?? 0,
    entries,
    filter: head?.filter ?? [],
  };
}

const carriageReturn = 0x0d;

const Head = z.strictObject({
  format: z.literal(exportFormat),
  origin: z.string(),
  checkpoint: z.string(),
  filter: z.array(z.string()),
});
const Entry = z.strictObject({
  index: z.int().min(0),
  entry: z.unknown(),
  proof: z.array(z.string()).max(64),
});
const Seal = z.strictObject({ entries: z.int().min(0), seal: z.string() });

/** Fault of the next line; null if it has none, and it counts. */
function lineFault(progress: Progress, line: Uint8Array): string | null {
  if (progress.isSealed) return 'It stands after the end of the export.';
  if (line.at(-1) === carriageReturn)
    return 'Its end was changed, as when a file is sent as text. Get the file again, byte for byte.';
  const text = Buffer.from(line).toString('utf8');
  const value = parseJson(text);
  const seal = Seal.safeParse(value).data;
  if (progress.head && seal)
    return text === sealLine(seal.entries, seal.seal) ? sealFault(progress, progress.head, seal) : rewritten;
  progress.digest.update(line).update('\n');
  return progress.head ? entryFault(progress, progress.head, text, value) : headFault(progress, text, value);
}

const rewritten =
  'It was written in another way: it says something twice, or was formatted. Get the file again, byte for byte.';

function headFault(progress: Progress, text: string, value: unknown): string | null {
  const head = Head.safeParse(value).data;
  if (!head) return 'It is not the first line of an export.';
  const checkpoint = openCheckpoint(head.checkpoint, progress.verifiers);
  if (!checkpoint) return unsignedFault(progress, head.checkpoint);
  progress.verdict = 'altered';
  if (checkpoint.origin !== head.origin) return 'The checkpoint is of another log than the file.';
  if (text !== headLine(head)) return rewritten;
  progress.head = { ...checkpoint, filter: head.filter };
  return null;
}

function unsignedFault(progress: Progress, note: string): string {
  const { verdict, origin } = judgeNote(note, progress.verifiers) ?? { verdict: 'altered', origin: '' };
  progress.verdict = verdict;
  if (verdict === 'altered') return 'The checkpoint was changed after it was signed.';
  return verdict === 'not-ours'
    ? `It is of the log ${origin}, of which none of these keys is.`
    : `The checkpoint of the log ${origin} is signed by none of these keys.`;
}

type ExportedHead = NonNullable<Progress['head']>;

function entryFault(progress: Progress, head: ExportedHead, text: string, value: unknown): string | null {
  const entry = Entry.safeParse(value).data;
  if (!entry) return 'It is not a line of an export: it was changed, or the file was cut off here.';
  const { index } = entry;
  const proof = entry.proof.flatMap((hash) => fromBase64(hash) ?? []);
  const body = bodyOf(entry.entry);
  if (body === null || !isIncluded(leafHash(Buffer.from(body, 'utf8')), index, proof, head))
    return 'The log has no such entry at this place.';
  if (text !== entryLine(index, body, entry.proof)) return rewritten;
  if (index <= progress.last) return 'The entry stands before one that the log has before it, or twice.';
  const isGap = head.filter.length === 0 && index !== progress.last + 1;
  if (isGap) return `The entry at place ${progress.last + 1} was removed before it.`;
  progress.last = index;
  progress.entries += 1;
  progress.onEntry(index, entry.entry);
  return null;
}

function sealFault(progress: Progress, head: ExportedHead, { entries, seal }: z.infer<typeof Seal>): string | null {
  const { origin } = head;
  const opened = openNote(seal, progress.verifiers);
  const text = sealText({ origin, entries: progress.entries, digest: progress.digest.digest() });
  const isOurs = opened?.text === text && opened.signers.some(({ name }) => name === origin);
  if (!isOurs || entries !== progress.entries)
    return 'The signature does not fit the lines above: some were removed, or it is another file’s.';
  if (head.filter.length === 0 && entries !== head.size)
    return `The entries from place ${entries} on were left out before it: the export is to hold all ${head.size}.`;
  progress.isSealed = true;
  return null;
}

/** Null for what no entry can be, such as one that is nested too deep. */
function bodyOf(entry: unknown): string | null {
  try {
    return canonicalJson(entry);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** More bytes than a line can have: an entry, and a hash for each level of the tree. */
const maxLineLength = 128 * 1024;

/** The lines of a file; the rest of it as one line if a line is too long to be one. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let text = Buffer.concat([rest, chunk]);
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.subarray(0, end);
      text = text.subarray(end + 1);
    }
    rest = text;
    if (rest.length > maxLineLength) break;
  }
  if (rest.length > 0) yield rest;
}
