import { routes } from '#platform/http/contract/openapi';
import { answerElicitation, cancelElicitation } from '../state/verbs/end.ts';
import { viewWithInquiry, markCaller, waitForOutcome } from './verbs/view.ts';
import { mintElicitationToken } from '../pages/verbs/callback.ts';
import { isOwnPage } from '../pages/verbs/page.ts';
import { checkRequester, verifyRequester } from './verbs/requester.ts';
import { openElicitation } from './verbs/ask.ts';
import { giveInformation } from '../deliberation/verbs/deliberate.ts';
import { beginMemo, keepMemo } from './verbs/memos.ts';
import { claimToolCall } from '../claims/verbs/claim.ts';
import { completeToolCall, giveBackUnused } from '../claims/verbs/end.ts';
import { passLasts, renewPasses } from './verbs/passed-calls.ts';
import { reportTools } from '#access/keys/verbs/tools';
import { findCredential, refuseCredential } from '#connect/credentials/verbs';
import { identityKey } from '#platform/model/identity';
import { invalidInput } from '#platform/model/problem';
import type { ApiParts } from '#platform/http/routes/parts';
import { longPoll } from '#platform/http/routes/streams';
import { createRateLimiter } from '#platform/http/routes/limits';

/** The routes for MCP servers. No key can make an approval. */
export function serveServerRoutes(parts: ApiParts): void {
  serveQuestionRoutes(parts);
  serveCallRoutes(parts);
  serveCredentialRoutes(parts);
}

function serveQuestionRoutes({ engine, authenticate, rates, shutdown, serve }: ApiParts): void {
  const show = (row: Parameters<typeof viewWithInquiry>[1]) => viewWithInquiry(engine, row);
  const countOpening = createRateLimiter(rates.opened);
  serve(routes.openElicitation, async ({ caller, body, request, response }) => {
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

  serve(routes.getElicitation, async ({ caller, params, query, request, response, rest }) => {
    if (query.wait > 0) rest();
    const row = await longPoll(response, { shutdown, timeoutMs: query.wait * 1000 }, (signal) =>
      waitForOutcome(engine, caller, params.id, signal),
    );
    if (query.wait > 0) await authenticate.key(request); // it may have been revoked meanwhile
    return show(row);
  });

  serve(routes.answerElicitation, async ({ caller, params, body }) =>
    show(await answerElicitation(engine, caller, params.id, body)),
  );

  serve(routes.cancelElicitation, async ({ caller, params, body }) =>
    show(await cancelElicitation(engine, caller, params.id, body.cause)),
  );

  serve(routes.giveInformation, async ({ caller, params, body }) =>
    show(await giveInformation(engine, caller, params.id, body)),
  );

  serve(routes.markCaller, async ({ caller, params, body }) =>
    show(await markCaller(engine, caller, params.id, body.state)),
  );

  serve(routes.mintToken, async ({ caller, body }) => mintElicitationToken(engine, caller, body));

  serve(routes.recognizePage, async ({ caller, body: { url, requester, accessToken } }) => ({
    isOwn: await isOwnPage(engine, {
      url,
      requester: await verifyRequester(engine, caller, requester, accessToken),
    }),
  }));
}

/** Claims, memos and passes of calls. */
function serveCallRoutes({ engine, version, serve }: ApiParts): void {
  serve(routes.claimToolCall, async ({ caller, params, body }) => claimToolCall(engine, caller, params.id, body));

  serve(routes.releaseToolCall, async ({ caller, params, body }) => giveBackUnused(engine, caller, params.id, body));

  serve(routes.completeToolCall, async ({ caller, params, body }) => completeToolCall(engine, caller, params.id, body));

  serve(routes.beginMemo, async ({ caller, body }) => beginMemo(engine, caller, body));

  serve(routes.keepMemo, async ({ caller, params, body }) => keepMemo(engine, caller, params.id, body));

  serve(routes.renewPasses, async ({ caller, body }) => {
    const verdicts = await renewPasses(engine, caller, body.passes);
    const passes = verdicts.map(({ pass }) => pass);
    return {
      lasts: passLasts,
      passes,
      denied: verdicts.map(({ isDenied }) => isDenied),
      covered: verdicts.map(({ isCovered }) => isCovered),
    };
  });

  serve(routes.reportTools, async ({ caller, body }) => reportTools(engine, caller, body.tools));

  serve(routes.getIdentity, async ({ caller: { name } }) => ({ name, version }));
}

/** Credentials that the gateway presents to a server for one person. */
function serveCredentialRoutes({ engine, serve }: ApiParts): void {
  serve(routes.findCredential, async ({ caller, body }) => findCredential(engine, caller, body));

  serve(routes.refuseCredential, async ({ caller, params, body }) =>
    refuseCredential(engine, caller, params.id, body.accessToken),
  );
}

function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x20-\x7e]{1,256}$/.test(header)) return header;
  const message = 'Use 1 to 256 printable ASCII characters.';
  throw invalidInput(['Idempotency-Key'], message);
}
