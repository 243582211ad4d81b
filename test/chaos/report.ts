import type { RunResult } from './run.ts';

/** A table for people: what happened, what went wrong on purpose, and what each rule says. */
export function describeRun({ verdicts, happenings, final, seconds }: RunResult): string {
  const faults = happenings.flatMap((each) => (each.kind === 'fault' ? [each.fault] : []));
  const lines = [
    `${final.requests.length} requests in ${seconds.toFixed(0)} s: ${tally(final.requests.map(({ status }) => status))}`,
    `${happenings.filter(({ kind }) => kind === 'ran').length} executions, ${final.votes.length} votes`,
    '',
    ...table(['fault', 'times'], [...count(faults)].toSorted()),
    '',
    ...table(
      ['promise', 'looked at', 'violations'],
      verdicts.map(({ rule, looked, violations }) => [rule, looked, violations.length]),
    ),
    ...verdicts.flatMap(({ rule, violations }) => describeViolations(rule, violations)),
  ];
  return `${lines.join('\n')}\n`;
}

export const isHeld = ({ verdicts }: Pick<RunResult, 'verdicts'>): boolean =>
  verdicts.every(({ violations }) => violations.length === 0);

const most = 10;

const describeViolations = (rule: string, violations: string[]): string[] =>
  violations.length === 0
    ? []
    : [
        '',
        `${rule}:`,
        ...violations.slice(0, most).map((text) => `  ${text}`),
        ...(violations.length > most ? [`  … and ${violations.length - most} more`] : []),
      ];

const tally = (words: string[]): string =>
  [...count(words)].map(([word, times]) => `${times} ${word}`).join(', ') || 'none';

function count(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function table(head: string[], rows: (string | number)[][]): string[] {
  const all = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const pad = (cell: string, at: number): string =>
    at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0);
  return all.map((row) => row.map(pad).join('  ').trimEnd());
}
