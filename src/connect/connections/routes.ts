import type { Request, Response } from 'express';
import { routes } from '#platform/http/contract/openapi';
import type { ApiParts } from '#platform/http/routes/parts';
import { addressOf } from '#platform/http/routes/limits';
import { expressPath } from '#platform/http/routes/route';
import { pageVisitor } from '#requests/pages/verbs/page';
import { tokenFor } from '#requests/pages/verbs/proof';
import {
  callbackPage,
  markup,
  pageCookie,
  pageSecret,
  revealIn,
  wordsFor,
  type PageParts,
} from '#requests/pages/routes/frame';
import { asPage, pageHandler, sendPage } from '#requests/pages/routes/credentials';
import { goTo, journeyCookie } from '#requests/pages/routes/pages';
import { findConnection, refuseConnection, useConnection } from './verbs/tokens.ts';
import { returnFromProvider, type Returned } from './verbs/return.ts';

/** Accounts that people have connected, for servers, and the address at which people come back from a provider. */
export function serveConnections(parts: ApiParts): void {
  const { app, engine, serve } = parts;
  serve(routes.findConnection, ({ caller, body }) => findConnection(engine, caller, body));
  serve(routes.useConnection, ({ caller, params, body }) => useConnection(engine, caller, params.id, body));
  serve(routes.refuseConnection, ({ caller, params, body }) => refuseConnection(engine, caller, params.id, body));
  app.use('/providers/:provider/return', asPage);
  app.get(expressPath(routes.returnFromProvider), pageHandler(parts, takeReturn));
}

async function takeReturn({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const publicUrl = engine.publicUrl();
  if (typeof request.query['reference'] === 'string')
    return showOutcome({ engine }, request, response, request.query['reference']);
  const returned = await returnFromProvider(engine, {
    provider: String(request.params['provider']),
    address: new URL(request.originalUrl, publicUrl),
    secretOf: (state) => pageSecret(request, journeyCookie(publicUrl, state).name),
    pageSecretOf: (id) => pageSecret(request, pageCookie(publicUrl, id).name),
  });
  if (returned.state === 'recorded') return goTo(response, `/e/${tokenFor(engine.ring, returned.row, 'page')}`);
  const words = wordsFor(request);
  if (returned.state === 'failed') {
    const again = `/go/${tokenFor(engine.ring, returned.row, 'connect')}`;
    return sendPage(response, 502, words, () => failedPage(returned, again, words));
  }
  await engine.access.recordRefusal({
    type: 'access.refused',
    what: 'forbidden',
    by: { kind: 'stranger' },
    about: [returned.about],
    address: addressOf(request),
  });
  sendPage(response, 403, words, () => elsewherePage(words));
}

/** Leads the browser that went to pay or to sign to the page of its request; any other learns nothing. */
async function showOutcome(
  { engine }: Pick<ApiParts, 'engine'>,
  request: Request,
  response: Response,
  reference: string,
): Promise<void> {
  const expectation = await engine.expectations.find(String(request.params['provider']), reference, []);
  const row = expectation && (await engine.reader.elicitation(expectation.elicitation));
  const secret = row && pageSecret(request, pageCookie(engine.publicUrl(), row.id).name);
  const visitor = row && (await pageVisitor(engine, row, secret ?? ''));
  if (row && visitor) return goTo(response, `/e/${tokenFor(engine.ring, row, 'page')}`);
  sendPage(response, 200, wordsFor(request), callbackPage);
}

type Words = ReturnType<typeof wordsFor>;

const elsewherePage = ({ connecting: words }: Words): PageParts => ({
  title: words.elsewhere,
  body: markup`<h1>${words.elsewhere}</h1>
<p>${words.elsewhereNote}</p>`,
});

function failedPage(
  { provider, problem }: Extract<Returned, { state: 'failed' }>,
  again: string,
  words: Words,
): PageParts {
  const { failed, failedNote, unverified, again: retry } = words.connecting;
  const reason = problem.code === 'token-invalid' ? unverified(provider) : words.shared.problems[problem.code];
  return {
    title: failed(provider),
    body: markup`<h1>${revealIn(words, failed(provider))}</h1>
<p>${revealIn(words, reason)} ${failedNote}</p>
<p><a class="button" href="${again}">${retry}</a></p>`,
  };
}
