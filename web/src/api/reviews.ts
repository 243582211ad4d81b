import { ReviewsDue } from '#protocol/contract/policies/reviews-due';
import { callApi } from './call-api.ts';

export const readReviewsDue = (signal: AbortSignal) => callApi('/api/policies/reviews', { answer: ReviewsDue, signal });
