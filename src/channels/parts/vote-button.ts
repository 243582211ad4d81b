import { z } from 'zod';
import { digest } from '../../contract/http/formats.ts';
import { ElicitationId } from '../../contract/servers/elicitation.ts';

/** What a button for a vote sends back: the request, and what its message showed. */
export const VoteButton = z.strictObject({ id: ElicitationId, digest });
