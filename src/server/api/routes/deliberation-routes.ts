import type { Express } from 'express';
import type { BreakGlassList, LookBackList } from '#protocol/contract/console/deliberation';
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
import { postponeElicitation } from '../../engine/deliberation/postpone-elicitation.ts';
import { addComment, askForInformation } from '../../engine/deliberation/remark.ts';
import { withdrawVote } from '../../engine/voting/withdraw-vote.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serveOnElicitation } from './on-elicitation.ts';
import { serve } from '../http/route.ts';

/** What people do with one request apart from voting. */
export function serveDeliberationRoutes(app: Express, parts: ApiParts): void {
  serveOnElicitation(app, parts, routes.withdrawVote, withdrawVote);
  serveOnElicitation(app, parts, routes.revokeApproval, revokeApproval);
  serveOnElicitation(app, parts, routes.editElicitation, editElicitation);
  serveOnElicitation(app, parts, routes.addApprover, addApprover);
  serveOnElicitation(app, parts, routes.watchElicitation, watchElicitation);
  serveOnElicitation(app, parts, routes.postponeElicitation, postponeElicitation);
  serveOnElicitation(app, parts, routes.lookAt, lookAt, 'notice');
  serveOnElicitation(app, parts, routes.addComment, addComment);
  serveOnElicitation(app, parts, routes.askForInformation, askForInformation);
  serveOnElicitation(app, parts, routes.breakGlassElicitation, breakGlassElicitation);
  serveOnElicitation(app, parts, routes.reviewBreakGlass, reviewBreakGlass);
  serveOnElicitation(app, parts, routes.reviewLookBack, reviewLookBack);

  serve(app, routes.listLookBacks, parts.authenticate, async ({ caller }) => {
    const body: LookBackList = { lookBacks: await listLookBacks(parts.engine, caller) };
    return { status: 200, body };
  });
  serve(app, routes.listBreakGlass, parts.authenticate, async ({ caller }) => {
    const body: BreakGlassList = { breakGlass: await listBreakGlass(parts.engine, caller) };
    return { status: 200, body };
  });
}
