import type { AppliedPolicies, PolicyDetail, ShadowReport, Simulation } from '../contract/documents.ts';
import { routes } from '#platform/http/contract/openapi';
import { maySeeSpace } from '#people/directory/verbs/may';
import { changing, exportPolicies, importPolicies, planPolicies } from '../verbs/apply.ts';
import { checkPolicy, policyJsonSchema } from '../verbs/check.ts';
import { publicationOf } from '#people/changes/verbs/kinds';
import { requestChange } from '#people/changes/verbs/changes';
import { restoreVersion, saveDraft, type VersionPlace } from '../verbs/draft.ts';
import { reviewVersion, setShadow, submitVersion } from '../verbs/review.ts';
import { listPolicies, listReviews, showHistory, showPolicyVersion, showShadow } from '../verbs/show.ts';
import { visibleOf } from '#requests/inbox/verbs/visibility';
import { simulatePolicies } from '../verbs/simulate.ts';
import { createLimiter } from '#platform/model/limiter';
import type { User } from '#people/directory/contract/user';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';
import { createRateLimiter } from '#platform/http/routes/limits';

/** Policies, their versions, and what they would do. */
export function servePolicyRoutes(parts: ApiParts): void {
  serveReading(parts);
  serveDrafts(parts);
  serveReviews(parts);
  serveApplying(parts);
}

async function shown(engine: ApiParts['engine'], user: User, place: VersionPlace, against?: number) {
  const body: PolicyDetail = await showPolicyVersion(engine, user, place, against);
  return body;
}

function serveReading({ engine, serve }: ApiParts): void {
  serve(routes.listPolicies, async ({ caller, query }) => listPolicies(engine, caller, query));

  serve(routes.listReviews, async ({ caller }) => ({ versions: await listReviews(engine, caller) }));

  serve(routes.policySchema, async () => policyJsonSchema());

  serve(routes.exportPolicies, async ({ caller }) => {
    const directory = await engine.directory.read();
    const exported = (await exportPolicies(engine)).filter(({ spaceId }) => maySeeSpace(directory, caller, spaceId));
    return { documents: exported.map(({ document }) => document) };
  });

  serve(routes.policyHistory, async ({ caller, params }) => showHistory(engine, caller, params.name));

  serve(routes.showPolicyVersion, async ({ caller, params, query }) => shown(engine, caller, params, query.against));

  serve(routes.showShadow, async ({ caller, params }) => {
    const body: ShadowReport = await showShadow(engine, caller, params.name);
    const by = { kind: 'user', id: caller.id } as const;
    const about = body.results.map(({ elicitation }) => elicitation);
    if (about.length > 0) await engine.access.recordAccess({ type: 'access.listed', what: 'simulation', by, about });
    return body;
  });
}

/** Checks of one person, whose editor checks while they type. Reading a document holds up everyone else for a moment. */
const checksInMinute = 60;

function serveDrafts({ engine, serve }: ApiParts): void {
  const countCheck = createRateLimiter(checksInMinute);
  const limiter = createLimiter({ concurrency: 1, maxQueue: 16, timeoutMs: 5_000 });
  serve(routes.checkPolicy, async ({ caller, body }) => {
    await countCheck(caller.id);
    return limiter(() => checkPolicy(engine, caller, body.document));
  });

  serve(routes.saveDraft, async ({ caller, body }) => {
    const place = await saveDraft(engine, caller, body);
    return { status: body.version === undefined ? 201 : 200, body: await shown(engine, caller, place) };
  });

  serve(routes.restoreVersion, async ({ caller, params }) =>
    shown(engine, caller, await restoreVersion(engine, caller, params)),
  );

  serve(routes.simulatePolicy, async ({ caller, body: { document, ...request } }) => {
    const body: Simulation = await simulatePolicies(engine, caller, { ...request, documents: [document] }, (rows) =>
      visibleOf(engine, caller, rows, 'content'),
    );
    const by = { kind: 'user', id: caller.id } as const;
    // Calls that someone made up tell them nothing of what is stored.
    const about = body.requests.flatMap(({ elicitation }) => elicitation ?? []);
    if (request.last > 0) await engine.access.recordAccess({ type: 'access.listed', what: 'simulation', by, about });
    return body;
  });

  serve(routes.importPolicies, async ({ caller, body }) => {
    const { drafts, unchanged } = await importPolicies(engine, caller, body.documents);
    const reader = caller.kind === 'token' ? caller.maker : caller;
    const views = await Promise.all(drafts.map((place) => showPolicyVersion(engine, reader, place)));
    return { drafts: views.map(onlyVersion), unchanged };
  });
}

function serveApplying({ engine, serve }: ApiParts): void {
  serve(routes.applyPolicies, async ({ caller, body: { documents, prune, dryRun } }) => {
    const planned = await planPolicies(engine, documents, { isPruning: prune });
    const body: AppliedPolicies = { applied: planned };
    const policies = changing(planned);
    if (dryRun || policies.length === 0) return { status: 200, body };
    return answerChange(await requestChange(engine, caller, 'apply-policies', { policies }), 200, () => body, body);
  });
}

function onlyVersion(detail: PolicyDetail) {
  const { document: _document, terms: _terms, against: _against, can: _can, space: _space, ...version } = detail;
  return version;
}

function serveReviews({ engine, serve }: ApiParts): void {
  serve(routes.submitVersion, async ({ caller, params }) => {
    await submitVersion(engine, caller, params);
    return shown(engine, caller, params);
  });

  serve(routes.reviewVersion, async ({ caller, params, body }) => {
    await reviewVersion(engine, caller, params, body);
    return shown(engine, caller, params);
  });

  serve(routes.publishVersion, async ({ caller, params }) => {
    const publication = await publicationOf(engine, caller, params);
    return answerChange(await requestChange(engine, caller, 'publish-policy', publication), 200, () =>
      shown(engine, caller, params),
    );
  });

  serve(routes.setShadow, async ({ caller, params, body }) => {
    await setShadow(engine, caller, params.name, body.version);
    return showHistory(engine, caller, params.name);
  });
}
