import { newOneTimeCode } from '#platform/crypto/random';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { PageProof } from '../../store/proofs/page-proofs.ts';
import { cells, openQuestion } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { tryLimits } from './code-tries.ts';
import { requesterProof, type RequesterProof } from './requester-proof.ts';

/** The code for the asking server to show at the client; nothing if the page does not open by a code. */
export async function pageCode(engine: Engine, row: ElicitationRow): Promise<{ code?: string }> {
  if (!opensByCode(engine, row)) return {};
  return codeIn(engine, row, await engine.pageProofs.find(row.id));
}

/**
 * The same for a client that asks again. A code that was tried until it was worn out is replaced first, so that
 * guesses of it are worth nothing. If several ask at once, all get the same one.
 */
export async function renewedPageCode(engine: Engine, row: ElicitationRow): Promise<{ code?: string }> {
  if (!opensByCode(engine, row)) return {};
  const proof = await engine.pageProofs.find(row.id);
  if (!proof || proof.attempts < tryLimits.worn) return codeIn(engine, row, proof);
  const code = newOneTimeCode();
  const sealed = cells.code.seal(engine.ring, row, row.id, code);
  const isNew = await engine.pageProofs.renewCode(row.id, sealed, tryLimits.worn);
  return isNew ? { code } : pageCode(engine, row);
}

/** The code of a question that was just opened. */
export function firstPageCode(engine: Engine, row: ElicitationRow): { code?: string } {
  return opensByCode(engine, row) ? codeIn(engine, row, null) : {};
}

/** How the opener of this page proves to be its requester, by the code that is valid now. */
export function pageProofOf(engine: Engine, row: ElicitationRow, proof: PageProof | null): RequesterProof {
  const question = openQuestion(engine.ring, row);
  return requesterProof(engine.publicUrl(), { ...question, code: codeIn(engine, row, proof).code ?? null });
}

const opensByCode = (engine: Engine, row: ElicitationRow): boolean =>
  requesterProof(engine.publicUrl(), openQuestion(engine.ring, row)).way === 'code';

function codeIn({ ring }: Engine, row: ElicitationRow, proof: PageProof | null): { code?: string } {
  const code = proof?.code ? cells.code.open(ring, row, row.id, proof.code) : openQuestion(ring, row).code;
  return code === null ? {} : { code };
}
