import { z } from 'zod';
import { digest } from '#platform/http/contract/problem/formats';
import { ElicitationId } from '#requests/asking/contract/open';

/** What a button for a vote sends back: the request, and what its message showed. */
export const VoteButton = z.strictObject({ id: ElicitationId, digest });
