import { Insights } from '#audit/reports/contract/insights';
import { callApi } from '../../../client/call-api/call-api.ts';

interface InsightsQuery {
  from: number;
  to: number;
  /** Null: of all servers that the person reads about. */
  space: string | null;
}

/** What was decided from one time until before another. */
export function readInsights({ from, to, space }: InsightsQuery, signal: AbortSignal): Promise<Insights> {
  const search = new URLSearchParams({ from: String(from), to: String(to), ...(space !== null && { space }) });
  return callApi(`/api/insights?${search}`, { answer: Insights, signal });
}
