import { csvLine } from '#audit/exports/rules/file';
import type { ExportedRequest } from './export-history.ts';

const columns = [
  'id',
  'server',
  'tool',
  'policy',
  'risk',
  'outcome',
  'cause',
  'opened_at',
  'closed_at',
  'seconds',
  'requester',
  'message',
  'votes',
];

export const historyHead = csvLine(columns);

/** A request as a line of CSV (RFC 4180): times are ISO 8601 in UTC, and nothing is a formula. */
export function historyLine(request: ExportedRequest): string {
  const { id, server, tool, policy, risk, status, cause, openedAt, closedAt, requester, message, votes } = request;
  const seconds = closedAt === null ? '' : `${(closedAt - openedAt) / 1000}`;
  const times = [timeOf(openedAt), closedAt === null ? '' : timeOf(closedAt), seconds];
  const content = [requester?.subject ?? '', message ?? '', (votes ?? []).map(formatVote).join('\n')];
  return csvLine([id, server, tool, policy, risk, status, cause ?? '', ...times, ...content]);
}

const timeOf = (at: number): string => new Date(at).toISOString();

const formatVote = ({ by, for: absent, action, at }: NonNullable<ExportedRequest['votes']>[number]): string =>
  [timeOf(at), action, by, ...(absent === null ? [] : [`for ${absent}`])].join(' ');
