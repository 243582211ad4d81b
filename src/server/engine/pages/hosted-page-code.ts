import type { Engine } from '../engine.ts';
import { requesterProof } from './internal/requester-proof.ts';
import { openQuestion } from '../elicitation/sealed-question.ts';

/** The code for the asking server to show at the client; nothing if the page does not open by a code. */
export function hostedPageCode(engine: Engine, row: Parameters<typeof openQuestion>[1]): { code?: string } {
  const question = openQuestion(engine.ring, row);
  const { way } = requesterProof(engine.publicUrl(), question);
  return way === 'code' && question.code ? { code: question.code } : {};
}
