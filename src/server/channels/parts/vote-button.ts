import { z } from 'zod';
import { digest } from '#protocol/contract/http/formats';
import { ElicitationId } from '#protocol/contract/servers/elicitation';

/** What a button for a vote sends back: the request, and what its message showed. */
export const VoteButton = z.strictObject({ id: ElicitationId, digest });
