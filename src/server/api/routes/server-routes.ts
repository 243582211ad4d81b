import type { Express } from 'express';
import type { ElicitationState } from '#protocol/contract/servers/elicitation';
import { routes } from '#protocol/contract/routes';
import { answerElicitation } from '../../engine/elicitation/answer-elicitation.ts';
import { cancelElicitation } from '../../engine/elicitation/cancel-elicitation.ts';
import { viewWithInquiry } from '../../engine/asking/elicitation-view.ts';
import { markCaller } from '../../engine/elicitation/mark-caller.ts';
import { mintElicitationToken } from '../../engine/pages/mint-token.ts';
import { checkRequester } from '../../engine/asking/check-requester.ts';
import { openElicitation } from '../../engine/asking/open-elicitation.ts';
import { giveInformation } from '../../engine/deliberation/remark.ts';
import { claimToolCall } from '../../engine/asking/claim-call.ts';
import { completeToolCall, giveBackUnused } from '../../engine/asking/end-call.ts';
import { passLasts, renewPasses } from '../../engine/asking/renew-passes.ts';
import { waitForOutcome } from '../../engine/elicitation/wait-for-outcome.ts';
import { reportTools } from '../../engine/tools/report-tools.ts';
import { findCredential, refuseCredential } from '../../engine/credentials/find-credential.ts';
import { identityKey } from '#protocol/model/identity';
import { invalidInput } from '#protocol/model/problem';
import type { ApiParts } from '../http/api-parts.ts';
import { longPoll } from '../http/long-poll.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { serve } from '../http/route.ts';

/** The routes for MCP servers. No key can make an approval. */
export function serveServerRoutes(app: Express, parts: ApiParts): void {
  serveQuestionRoutes(app, parts);
  serveCallRoutes(app, parts);
  serveCredentialRoutes(app, parts);
}

function serveQuestionRoutes(app: Express, { engine, authenticate, rates, shutdown }: ApiParts): void {
  const ok = async (row: Parameters<typeof viewWithInquiry>[1]) => {
    const body: ElicitationState = await viewWithInquiry(engine, row);
    return { status: 200, body };
  };

  const countOpening = createRateLimiter(rates.opened);
  serve(app, routes.openElicitation, authenticate, async ({ caller, body, request, response }) => {
    await countOpening(`${caller.id} ${identityKey(body.requester)}`);
    const key = idempotencyKey(request.headers['idempotency-key']);
    const checked = await checkRequester(engine, caller, body);
    const opened = await openElicitation(engine, caller, {
      ...checked,
      call: body.call ?? key,
      idempotencyKey: key,
      traceparent: response.locals['traceparent'] as string | null,
    });
    return { status: opened.joined ? 200 : 201, body: opened };
  });

  serve(app, routes.getElicitation, authenticate, async ({ caller, params, query, request, rest }) => {
    if (query.wait > 0) rest();
    const row = await longPoll(request, { shutdown, timeoutMs: query.wait * 1000 }, (signal) =>
      waitForOutcome(engine, caller, params.id, signal),
    );
    if (query.wait > 0) await authenticate.key(request); // it may have been revoked meanwhile
    return ok(row);
  });

  serve(app, routes.answerElicitation, authenticate, async ({ caller, params, body }) =>
    ok(await answerElicitation(engine, caller, params.id, body)),
  );

  serve(app, routes.cancelElicitation, authenticate, async ({ caller, params, body }) =>
    ok(await cancelElicitation(engine, caller, params.id, body.cause)),
  );

  serve(app, routes.giveInformation, authenticate, async ({ caller, params, body }) =>
    ok(await giveInformation(engine, caller, params.id, body)),
  );

  serve(app, routes.markCaller, authenticate, async ({ caller, params, body }) =>
    ok(await markCaller(engine, caller, params.id, body.state)),
  );

  serve(app, routes.mintToken, authenticate, async ({ caller, body }) => ({
    status: 201,
    body: await mintElicitationToken(engine, caller, body),
  }));
}

/** What runs, and under whose name. */
function serveCallRoutes(app: Express, { engine, authenticate, version }: ApiParts): void {
  serve(app, routes.claimToolCall, authenticate, async ({ caller, params, body }) => ({
    status: 200,
    body: await claimToolCall(engine, caller, params.id, body),
  }));

  serve(app, routes.releaseToolCall, authenticate, async ({ caller, params, body }) => {
    await giveBackUnused(engine, caller, params.id, body);
    return { status: 204 };
  });

  serve(app, routes.completeToolCall, authenticate, async ({ caller, params, body }) => {
    await completeToolCall(engine, caller, params.id, body);
    return { status: 204 };
  });

  serve(app, routes.renewPasses, authenticate, async ({ caller, body }) => {
    const verdicts = await renewPasses(engine, caller, body.passes);
    const passes = verdicts.map(({ pass }) => pass);
    return { status: 200, body: { lasts: passLasts, passes, denied: verdicts.map(({ isDenied }) => isDenied) } };
  });

  serve(app, routes.reportTools, authenticate, async ({ caller, body }) => {
    await reportTools(engine, caller, body.tools);
    return { status: 204 };
  });

  serve(app, routes.getIdentity, authenticate, async ({ caller: { name } }) => ({
    status: 200,
    body: { name, version },
  }));
}

/** What the gateway shows a server in the name of one person. */
function serveCredentialRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.findCredential, authenticate, async ({ caller, body }) => ({
    status: 200,
    body: await findCredential(engine, caller, body),
  }));

  serve(app, routes.refuseCredential, authenticate, async ({ caller, params, body }) => {
    await refuseCredential(engine, caller, params.id, body.accessToken);
    return { status: 204 };
  });
}

function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x20-\x7e]{1,256}$/.test(header)) return header;
  const message = 'Use 1 to 256 printable ASCII characters.';
  throw invalidInput(['Idempotency-Key'], message);
}
