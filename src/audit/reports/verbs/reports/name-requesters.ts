import { principalHashes } from '#platform/crypto/key-ring/lookup-hash';
import type { Report } from '../../contract/report.ts';
import type { AskedRow } from '../../../entries/store/asked-names.ts';
import { readable } from '#requests/state/verbs/change/readable';
import { openQuestion } from '#requests/asking/verbs/question/sealed-question';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** The most requesters whose names one answer has, and how many of their requests are opened for each. */
const maxNamed = 200;
const attempts = 2;

/**
 * The names behind the keyed hashes of an answer: only of requesters with a request in it whose content was not erased,
 * for whose name the request itself vouches.
 */
export async function nameRequesters(
  { askedNames, ring }: Pick<Engine, 'askedNames' | 'ring'>,
  { columns, rows }: Report,
): Promise<Record<string, string>> {
  const placeOf = (kind: string): number => columns.findIndex((column) => column.kind === kind);
  const [requester, request] = [placeOf('requester'), placeOf('request')];
  if (requester < 0) return {};
  const requests = new Map<string, string[]>();
  for (const row of rows) {
    const [hash, id] = [row[requester], row[request]];
    if (typeof hash !== 'string' || hash === '' || typeof id !== 'string') continue;
    const before = requests.get(hash) ?? [];
    if (before.length < attempts && (before.length > 0 || requests.size < maxNamed))
      requests.set(hash, [...before, id]);
  }
  const vouching = await askedNames.sealed([...requests.values()].flat());
  return Object.fromEntries(vouching.flatMap((row) => namesBehind(ring, row)));
}

/** A row that was given the hash of someone else names no one. */
function namesBehind(ring: Engine['ring'], row: AskedRow): [string, string][] {
  const question = readable(() => openQuestion(ring, row));
  if (!question) return [];
  const { requester } = question;
  return principalHashes(ring, row.serverId, requester).map((hash) => [hash.toString('hex'), requester.subject]);
}
