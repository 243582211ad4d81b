import { ReviewsDue } from '../../../src/contract/policies/reviews-due.ts';
import { callApi } from './call-api.ts';

export const readReviewsDue = (signal: AbortSignal): Promise<ReviewsDue> =>
  callApi('/api/policies/reviews', { answer: ReviewsDue, signal });
