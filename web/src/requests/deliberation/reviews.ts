import { ReviewsDue } from '#policies/contract/routes/reviews-due';
import { callApi } from '../../client/call-api/call-api.ts';

export const readReviewsDue = (signal: AbortSignal) => callApi('/api/policies/reviews', { answer: ReviewsDue, signal });
