import type { KeyRing } from '#platform/crypto/key-ring';
import { mintToken } from '#access/tokens/rules';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { openQuestion, ownerOf } from '../../../asking/verbs/question/sealed-question.ts';

type Addressed = Pick<
  ElicitationRow,
  'id' | 'owner' | 'dataKey' | 'payload' | 'mode' | 'status' | 'audience' | 'deadlineAt'
>;

/**
 * Where to send the requester of an open question in URL mode: our hosted page or, in front of an outside address, the
 * connect page; otherwise null. Approvers read the outside address itself.
 */
export function requesterAddress(engine: { ring: KeyRing; publicUrl(): string }, row: Addressed): string | null {
  if (row.mode !== 'url' || row.status !== 'open' || !row.dataKey) return null;
  const { url } = openQuestion(engine.ring, row);
  if (row.audience !== 'requester') return url;
  if (url === null) return pageAddress(engine.publicUrl(), tokenFor(engine.ring, row, 'page'));
  return `${engine.publicUrl()}/go/${tokenFor(engine.ring, row, 'connect')}`;
}

/** Made at each read, so that it lives as long as the question, even if the deadline is moved. */
export function tokenFor(
  ring: KeyRing,
  row: Pick<ElicitationRow, 'id' | 'owner' | 'deadlineAt'>,
  purpose: 'page' | 'connect',
): string {
  const { session } = ownerOf(ring, row);
  return mintToken(ring, { session, elicitation: row.id, purpose, expiresAt: row.deadlineAt });
}

export const pageAddress = (publicUrl: string, token: string): string => `${publicUrl}/e/${token}`;
export const callbackAddress = (publicUrl: string, token: string): string => `${publicUrl}/callback/${token}`;
