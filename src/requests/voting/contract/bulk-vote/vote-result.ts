import { z } from 'zod';
import { statuses } from '../../../asking/contract/elicitation.ts';
import { digest } from '#platform/http/contract/problem';
import { ElicitationId } from '../../../asking/contract/open.ts';

/** What a vote has made of the request. The rest of its page is a read of its own, for anyone who looks. */
export const VoteResult = z
  .object({ id: ElicitationId, status: z.enum(statuses), revision: z.int().min(1), digest })
  .meta({ id: 'VoteResult' });
