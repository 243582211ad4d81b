import { ReviewsDue } from '#policies/contract/routes';
import { callApi } from '../../client/call-api.ts';

export const readReviewsDue = (signal: AbortSignal) => callApi('/api/policies/reviews', { answer: ReviewsDue, signal });
