import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';

/** A person decides on what they saw: another digest changes nothing. A closed request says so first. */
export function refuseUnseen({ status, digest }: ElicitationRow, seen: string): void {
  if (status !== 'open') throw new Problem('already-closed');
  if (seen !== digest) throw new Problem('digest-mismatch');
}
