import { Insights } from '#protocol/contract/insights-routes';
import { callApi } from './call-api.ts';

/** What was decided from one time until before another. */
export const readInsights = (from: number, to: number, signal: AbortSignal): Promise<Insights> =>
  callApi(`/api/insights?from=${from}&to=${to}`, { answer: Insights, signal });
