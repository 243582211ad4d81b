import type { Engine } from '../engine.ts';
import { requesterProof } from './requester-proof.ts';
import { openQuestion } from '../elicitation/sealed-question.ts';

/** The code for the asking server to show where the client runs; nothing where a code is not what opens the page. */
export function hostedPageCode(engine: Engine, row: Parameters<typeof openQuestion>[1]): { code?: string } {
  const question = openQuestion(engine.ring, row);
  const { way } = requesterProof(engine.publicUrl(), question);
  return way === 'code' && question.code ? { code: question.code } : {};
}
