import { routes } from '#platform/http/contract/openapi';
import { revokeApproval } from '../claims/verbs/claim.ts';
import {
  addApprover,
  watchElicitation,
  postponeElicitation,
  addComment,
  askForInformation,
} from './verbs/deliberate.ts';
import { editElicitation, listLookBacks, reviewLookBack } from './verbs/edit.ts';
import { listBreakGlass, breakGlassElicitation, reviewBreakGlass } from './verbs/emergency.ts';
import { lookAt } from '../inbox/verbs/signals.ts';
import { readPassedCall } from '../inbox/verbs/visibility.ts';
import { withdrawVote } from '../voting/verbs.ts';
import { type ApiParts, serveOnElicitation } from '#platform/http/routes/parts';

/** Actions on one request other than voting. */
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
