import type { ReportId } from '#audit/reports/contract/report';
import { isAboutMoment, type ReportDraft } from './report-search.ts';
import { line, nameOutcome, questions } from './words/words.ts';

/** The question with all its filters, so that its answer is not taken for another's. */
export function formatQuestion(
  { id, draft }: { id: ReportId; draft: ReportDraft },
  people: readonly { id: string; name: string }[],
): string {
  const person = people.find((candidate) => candidate.id === draft.person)?.name ?? draft.person;
  const { from, to, zone, ...narrowing } = { ...draft, person, outcome: nameOutcome(draft.outcome) };
  const period = isAboutMoment(id) ? to.replace('T', ' ') : `${from} – ${to}`;
  const parts = Object.values(narrowing).filter((value) => value !== '');
  const hours = draft.hours === '' ? [] : [zone];
  return `${line.understood} ${[questions[id].title, `${period} (UTC)`, ...parts, ...hours].join(' · ')}`;
}
