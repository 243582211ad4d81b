import type { Express } from 'express';
import type { OverruleList } from '../contract/deliberation.ts';
import { routes } from '../contract/routes.ts';
import { addApprover } from '../engine/add-approver.ts';
import { claimElicitation } from '../engine/claim-elicitation.ts';
import { editElicitation } from '../engine/edit-elicitation.ts';
import { listOverrules, overruleElicitation, reviewOverrule } from '../engine/overrule-elicitation.ts';
import { postponeElicitation } from '../engine/postpone-elicitation.ts';
import { addComment, askForInformation } from '../engine/remark.ts';
import { withdrawVote } from '../engine/withdraw-vote.ts';
import type { ElicitationId, UserId } from '../model/id.ts';
import type { ApiParts } from './api-parts.ts';
import { serve } from './route.ts';
import { shown } from './shown.ts';

/** What people do with one request beside voting; each answers with the request as it is then. */
export function serveDeliberationRoutes(app: Express, parts: ApiParts): void {
  serveChanges(app, parts);
  serveRemarks(app, parts);
  serveOverrules(app, parts);
}

function serveChanges(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.withdrawVote, authenticate, async ({ caller, params }) => {
    await withdrawVote(engine, caller, params.id as ElicitationId);
    return shown(engine, caller, params.id);
  });

  serve(app, routes.editElicitation, authenticate, async ({ caller, params, body }) => {
    await editElicitation(engine, caller, params.id as ElicitationId, body);
    return shown(engine, caller, params.id);
  });

  serve(app, routes.addApprover, authenticate, async ({ caller, params, body }) => {
    const person = body.person as UserId;
    await addApprover(engine, caller, params.id as ElicitationId, { ...body, person });
    return shown(engine, caller, params.id);
  });

  serve(app, routes.claimElicitation, authenticate, async ({ caller, params, body }) => {
    await claimElicitation(engine, caller, params.id as ElicitationId, body);
    return shown(engine, caller, params.id);
  });

  serve(app, routes.postponeElicitation, authenticate, async ({ caller, params, body }) => {
    await postponeElicitation(engine, caller, params.id as ElicitationId, body);
    return shown(engine, caller, params.id);
  });
}

function serveRemarks(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.addComment, authenticate, async ({ caller, params, body }) => {
    await addComment(engine, caller, params.id as ElicitationId, body);
    return shown(engine, caller, params.id);
  });

  serve(app, routes.askForInformation, authenticate, async ({ caller, params, body }) => {
    await askForInformation(engine, caller, params.id as ElicitationId, body);
    return shown(engine, caller, params.id);
  });
}

function serveOverrules(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.overruleElicitation, authenticate, async ({ caller, params, body }) => {
    await overruleElicitation(engine, caller, params.id as ElicitationId, body);
    return shown(engine, caller, params.id);
  });

  serve(app, routes.reviewOverrule, authenticate, async ({ caller, params, body }) => {
    await reviewOverrule(engine, caller, params.id as ElicitationId, body);
    return shown(engine, caller, params.id);
  });

  serve(app, routes.listOverrules, authenticate, async () => {
    const body: OverruleList = { overrules: await listOverrules(engine) };
    return { status: 200, body };
  });
}
