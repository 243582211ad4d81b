import { routes } from '#protocol/contract/routes';
import { revokeApproval } from '../../engine/asking/revoke-approval.ts';
import { addApprover } from '../../engine/deliberation/add-approver.ts';
import { watchElicitation } from '../../engine/deliberation/watch-elicitation.ts';
import { editElicitation } from '../../engine/deliberation/edit-elicitation.ts';
import {
  listBreakGlass,
  breakGlassElicitation,
  reviewBreakGlass,
} from '../../engine/deliberation/break-glass-elicitation.ts';
import { listLookBacks, reviewLookBack } from '../../engine/deliberation/look-back.ts';
import { lookAt } from '../../engine/visibility/look-at.ts';
import { readPassedCall } from '../../engine/visibility/read-passed-call.ts';
import { postponeElicitation } from '../../engine/deliberation/postpone-elicitation.ts';
import { addComment, askForInformation } from '../../engine/deliberation/remark.ts';
import { withdrawVote } from '../../engine/voting/withdraw-vote.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serveOnElicitation } from './on-elicitation.ts';

/** What people do with one request apart from voting. */
export function serveDeliberationRoutes(parts: ApiParts): void {
  serveOnElicitation(parts, routes.withdrawVote, withdrawVote);
  serveOnElicitation(parts, routes.revokeApproval, revokeApproval);
  serveOnElicitation(parts, routes.editElicitation, editElicitation);
  serveOnElicitation(parts, routes.addApprover, addApprover);
  serveOnElicitation(parts, routes.watchElicitation, watchElicitation);
  serveOnElicitation(parts, routes.postponeElicitation, postponeElicitation);
  serveOnElicitation(parts, routes.lookAt, lookAt, 'notice');
  serveOnElicitation(parts, routes.addComment, addComment);
  serveOnElicitation(parts, routes.askForInformation, askForInformation);
  serveOnElicitation(parts, routes.breakGlassElicitation, breakGlassElicitation);
  serveOnElicitation(parts, routes.reviewBreakGlass, reviewBreakGlass);
  serveOnElicitation(parts, routes.reviewLookBack, reviewLookBack);

  parts.serve(routes.readPassedCall, ({ caller, params, body }) =>
    readPassedCall(parts.engine, caller, params.id, body.reason ?? null),
  );
  parts.serve(routes.listLookBacks, async ({ caller }) => ({ lookBacks: await listLookBacks(parts.engine, caller) }));
  parts.serve(routes.listBreakGlass, async ({ caller }) => ({
    breakGlass: await listBreakGlass(parts.engine, caller),
  }));
}
