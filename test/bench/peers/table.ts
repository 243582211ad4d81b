import { round } from '../statistics.ts';
import type { PeerResult } from './compare.ts';

/** One table for people: each peer a row, the figures of one lifecycle. */
export function describePeers(results: PeerResult[]): string {
  const measured = results.filter(({ reason }) => !reason);
  const levels = measured[0]?.perSecond.map(({ inFlight }) => `${inFlight} in flight`) ?? [];
  const head = [
    '',
    ...levels,
    'CPU',
    'asker',
    'answerer',
    'server',
    'PostgreSQL',
    'statements',
    'WAL',
    'p50',
    'p95',
    'p99',
  ];
  const missing = results.flatMap(({ name, reason }) => (reason ? [`${name} was not measured: ${reason}\n`] : []));
  return [align([head, ...measured.map(row)]), ...missing].join('');
}

function row({ name, perSecond, used, resume }: PeerResult): string[] {
  const { asker = 0, answerer = 0, server = null, postgres = null, statements = 0, wal = 0 } = used ?? {};
  const whole = asker + answerer + (server ?? 0) + (postgres ?? 0);
  return [
    name,
    ...perSecond.map((level) => `${round(level.perSecond)}/s`),
    ...[whole, asker, answerer, server, postgres].map(inMilliseconds),
    String(round(statements, 1)),
    `${round(wal / 1000, 1)} kB`,
    ...[resume?.p50, resume?.p95, resume?.p99].map((value = Number.NaN) => `${round(value, 1)} ms`),
  ];
}

const inMilliseconds = (microseconds: number | null): string =>
  microseconds === null ? '–' : `${round(microseconds / 1000, 2)} ms`;

function align(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, at: number): string =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0);
  return rows.map((cells) => `${cells.map(pad).join('  ')}\n`).join('');
}
