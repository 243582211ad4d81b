import type { KeyRing } from '../../crypto/key-ring.ts';
import { mintToken } from '../../crypto/tokens/token.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { openQuestion, ownerOf } from '../elicitation/sealed-question.ts';

type Addressed = Pick<
  ElicitationRow,
  'id' | 'owner' | 'dataKey' | 'payload' | 'mode' | 'status' | 'audience' | 'deadlineAt'
>;

/**
 * Where to send the requester of an open question in URL mode: the given address, or our hosted page; otherwise null.
 */
export function requesterAddress(engine: { ring: KeyRing; publicUrl(): string }, row: Addressed): string | null {
  if (row.mode !== 'url' || row.status !== 'open' || !row.dataKey) return null;
  const { url } = openQuestion(engine.ring, row);
  if (url !== null || row.audience !== 'requester') return url;
  // Made at each read, so that it lives as long as the question, even if the deadline is moved.
  const { session } = ownerOf(engine.ring, row);
  const claims = { session, elicitation: row.id, purpose: 'page', expiresAt: row.deadlineAt } as const;
  return pageAddress(engine.publicUrl(), mintToken(engine.ring, claims));
}

export const pageAddress = (publicUrl: string, token: string): string => `${publicUrl}/e/${token}`;
export const callbackAddress = (publicUrl: string, token: string): string => `${publicUrl}/callback/${token}`;
