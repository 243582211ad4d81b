import { sha256Hex } from '#platform/crypto/digest/digest';
import { cosign, cosigner, cosignerKey } from '../../rules/notes/cosignature.ts';
import { divideNote, writeSignature, type NoteVerifier, type SignatureLine } from '../../rules/notes/signed-note.ts';
import { judgeOffer, readOffer } from '../../rules/checkpoint/witness-offer.ts';
import type { WitnessFiles } from './witness-files.ts';

/** An answer over HTTP. */
export interface WitnessAnswer {
  status: number;
  type?: string;
  body: string;
}

/** A witness of logs (C2SP tlog-witness): it cosigns what only ever grows. */
export interface Witness {
  /** Its verifier key. */
  key: string;
  /** `POST /add-checkpoint`. Offers are judged one after the other, and kept before they are answered. */
  addCheckpoint(body: string): Promise<WitnessAnswer>;
  /** `GET /<hash of the log's name>/checkpoint`: the latest one, cosigned. */
  checkpoint(originHash: string): WitnessAnswer;
}

/** `now` is in milliseconds. */
export function createWitness(
  name: string,
  logs: NoteVerifier[],
  files: WitnessFiles,
  now: () => number = Date.now,
): Witness {
  const signer = cosigner(name, files.seed);
  const judge = async (body: string): Promise<WitnessAnswer> => {
    const offer = readOffer(body);
    const verdict = judgeOffer(offer, logs, files.latest);
    if ('latest' in verdict) return { status: 409, type: 'text/x.tlog.size', body: `${verdict.latest}\n` };
    if ('status' in verdict) return { status: verdict.status, body: '' };
    const line = cosign(verdict.text, signer, now());
    const signatures = ownSignatures(offer?.note ?? '', logs);
    await files.keep({ ...verdict.taken, note: `${verdict.text}\n${signatures}${line}` });
    return { status: 200, type: 'text/plain; charset=utf-8', body: line };
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    key: cosignerKey(signer),
    addCheckpoint(body) {
      const answer = last.then(() => judge(body));
      last = answer.catch(() => {});
      return answer;
    },
    checkpoint(originHash) {
      const origin = logs.find((log) => sha256Hex(log.name) === originHash)?.name;
      const head = origin === undefined ? null : files.latest(origin);
      if (!head) return { status: 404, body: '' };
      return { status: 200, type: 'text/plain; charset=utf-8', body: head.note };
    },
  };
}

/** The signatures of the log itself; whatever else was in the note is left out. */
function ownSignatures(note: string, logs: NoteVerifier[]): string {
  const { lines } = divideNote(note) ?? { lines: [] };
  const isOwn = (line: SignatureLine): boolean => logs.some(({ name, id }) => name === line.name && id.equals(line.id));
  return lines.filter(isOwn).map(writeSignature).join('');
}
