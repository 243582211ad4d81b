import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../store/row.ts';
import type { Reader } from '../../asking/store/reader.ts';

/** The row, or null if it differs from its log entry: one such row holds up no other. */
export const provenRow = (
  { reader }: { reader: Pick<Reader, 'elicitation'> },
  id: ElicitationId,
): Promise<ElicitationRow | null> => reader.elicitation(id).catch(noneIfUnproven);

/** It was logged for the operator when it was read. */
export function noneIfUnproven(error: unknown): null {
  if (error instanceof Problem && error.code === 'unproven') return null;
  throw error;
}
