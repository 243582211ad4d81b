import type { Express } from 'express';
import type { OverruleList } from '../../contract/console/deliberation.ts';
import { routes } from '../../contract/routes.ts';
import { addApprover } from '../../engine/deliberation/add-approver.ts';
import { claimElicitation } from '../../engine/deliberation/claim-elicitation.ts';
import { editElicitation } from '../../engine/deliberation/edit-elicitation.ts';
import { listOverrules, overruleElicitation, reviewOverrule } from '../../engine/deliberation/overrule-elicitation.ts';
import { postponeElicitation } from '../../engine/deliberation/postpone-elicitation.ts';
import { addComment, askForInformation } from '../../engine/deliberation/remark.ts';
import { withdrawVote } from '../../engine/voting/withdraw-vote.ts';
import type { UserId } from '../../model/id.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serveOnElicitation } from './on-elicitation.ts';
import { serve } from '../http/route.ts';

/** What people do with one request beside voting. */
export function serveDeliberationRoutes(app: Express, parts: ApiParts): void {
  serveOnElicitation(app, parts, routes.withdrawVote, withdrawVote);
  serveOnElicitation(app, parts, routes.editElicitation, editElicitation);
  serveOnElicitation(app, parts, routes.addApprover, (engine, person, id, body) =>
    addApprover(engine, person, id, { ...body, person: body.person as UserId }),
  );
  serveOnElicitation(app, parts, routes.claimElicitation, claimElicitation);
  serveOnElicitation(app, parts, routes.postponeElicitation, postponeElicitation);
  serveOnElicitation(app, parts, routes.addComment, addComment);
  serveOnElicitation(app, parts, routes.askForInformation, askForInformation);
  serveOnElicitation(app, parts, routes.overruleElicitation, overruleElicitation);
  serveOnElicitation(app, parts, routes.reviewOverrule, reviewOverrule);

  serve(app, routes.listOverrules, parts.authenticate, async () => {
    const body: OverruleList = { overrules: await listOverrules(parts.engine) };
    return { status: 200, body };
  });
}
