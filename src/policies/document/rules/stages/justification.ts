import { formatFault } from '#messages/english-faults';
import { matchesGlob } from '../directory/glob.ts';
import type { JustificationRule } from '../../../terms/justification.ts';

/** What a reason lacks, as a sentence for the person who gives it; null if it satisfies every rule. */
export function faultOfJustification(rules: readonly JustificationRule[], reason: string | null): string | null {
  const text = (reason ?? '').trim();
  const broken = rules.find(({ minLength, like }) => lengthOf(text) < minLength || !fits(text, like));
  return broken ? formatFault({ code: 'reason', ...broken }) : null;
}

const fits = (text: string, like: string | null): boolean => like === null || matchesGlob(text, like);

const lengthOf = (text: string): number => [...text].length;
