import type { Verb } from '../decision-table/decision-table.ts';

/** The button of this decision takes the focus. */
export function focusVerb(verb: Verb): void {
  const place = document.querySelector<HTMLElement>(`[data-verb=${verb}]`);
  (place?.querySelector('button') ?? place)?.focus();
}
