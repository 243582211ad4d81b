import { cosignaturesOn, type WitnessAddress } from '#audit/tree/rules/notes';
import { sendRequest } from '#platform/http/client/outgoing-request';
import { sha256Hex } from '#platform/crypto/digest/digest';
import { Problem } from '#platform/model/problem/problem';

/** Bytes; a checkpoint with 32 signatures needs less. */
const maxAnswerBytes = 64 * 1024;

/**
 * The latest checkpoint of this log that each witness has cosigned, if any. Problem `unavailable` names a witness that
 * does not answer: it may know more than anyone else.
 */
export async function latestSeen(witnesses: WitnessAddress[], origin: string): Promise<string[]> {
  const notes = await Promise.all(witnesses.map((witness) => ask(witness, origin)));
  return notes.filter((note) => note !== null);
}

async function ask({ url, verifier }: WitnessAddress, origin: string): Promise<string | null> {
  const address = `${url}/${sha256Hex(origin)}/checkpoint`;
  const response = await sendRequest(address, {}, { maxBytes: maxAnswerBytes }).catch((cause: unknown) => {
    throw silent(verifier.name, cause);
  });
  if (response.status === 404) return null;
  const note = response.ok ? await response.text().catch(() => '') : '';
  if (cosignaturesOn(note, [verifier])?.length) return note;
  throw silent(verifier.name);
}

const silent = (name: string, cause?: unknown): Problem =>
  new Problem('unavailable', {
    detail: `See to it that the witness ${name} answers, or leave it out of ASSENTRY_WITNESSES: it may have seen more of the log than the backup holds.`,
    cause,
  });
