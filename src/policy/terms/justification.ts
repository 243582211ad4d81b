import { matchesGlob } from './glob.ts';
import type { JustificationRule } from './policy-document.ts';

/** What is missing of a reason, in words for whoever gives it; null where it satisfies every rule. */
export function refuseJustification(rules: readonly JustificationRule[], reason: string | null): string | null {
  const text = (reason ?? '').trim();
  const broken = rules.find(({ minLength, like }) => lengthOf(text) < minLength || !fits(text, like));
  return broken ? `Give a reason${sayJustification(broken)}.` : null;
}

export function sayJustification({ minLength, like }: JustificationRule): string {
  const length = minLength > 1 ? ` of at least ${minLength} characters` : '';
  return `${length}${like === null ? '' : ` that fits ${like}`}`;
}

const fits = (text: string, like: string | null): boolean => like === null || matchesGlob(text, like);

const lengthOf = (text: string): number => [...text].length;
