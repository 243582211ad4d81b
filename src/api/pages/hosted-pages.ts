import express, { type Express, type Request, type Response } from 'express';
import { routes } from '../../contract/routes.ts';
import { PageForm } from '../../contract/servers/token.ts';
import { antiForgeryValue } from '../../crypto/anti-forgery.ts';
import { newOneTimeSecret } from '../../crypto/one-time-secret.ts';
import { answerPage, type PageOutcome } from '../../engine/pages/answer-page.ts';
import { elicitationByToken, openElicitationByToken } from '../../engine/pages/elicitation-by-token.ts';
import { issuePageReceipt } from '../../engine/log/issue-receipt.ts';
import { openPage } from '../../engine/pages/open-page.ts';
import { proveRequester } from '../../engine/pages/prove-requester.ts';
import { takeCallback } from '../../engine/pages/take-callback.ts';
import { Problem } from '../../model/problem.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { sendReceipt } from '../routes/log-routes.ts';
import { pageCookie, pageSecret, refuseForgery } from './page-session.ts';
import { postedName } from './field-control.ts';
import { asPage, readFields, sendPage, signedInUser } from './page-exchange.ts';
import { proofPage } from './proof-page.ts';
import { questionPage } from './question-page.ts';
import { answeredPage, callbackPage, leavingPage } from './result-pages.ts';
import { wordsFor, type PageWords } from './words/page-words.ts';
import { addressOf } from '../http/address-of.ts';
import { inPlace, readInPlace } from '../http/in-place.ts';
import { expressPath, serve } from '../http/route.ts';

/** Pages for people without a sign-in, and callbacks for outside services. A link alone decides nothing. */
export function serveHostedPages(app: Express, parts: ApiParts): void {
  const { work, bodies } = parts.authenticate;
  const working =
    (page: (parts: ApiParts, request: Request, response: Response) => Promise<void>) =>
    (request: Request, response: Response): Promise<void> =>
      inPlace(work, addressOf(request), () => page(parts, request, response));
  app.use('/e', asPage);
  app.get('/callback/*rest', asPage);
  app.get(expressPath(routes.showPage), working(showPage));
  app.post(expressPath(routes.answerPage), readInPlace(readForm, bodies), working(takeForm));
  app.get(expressPath(routes.keepReceipt), working(keepReceipt));
  app.get(expressPath(routes.showCallback), (request, response) =>
    sendPage(response, 200, wordsFor(request), callbackPage),
  );

  serve(app, routes.takeCallback, parts.authenticate, async ({ params, body }) => ({
    status: 200,
    body: { action: await takeCallback(parts.engine, params.token, body) },
  }));
}

const readForm = express.text({
  type: 'application/x-www-form-urlencoded',
  limit: 256 * 1024,
  defaultCharset: 'utf-8',
});

async function showPage({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const row = await openElicitationByToken(engine, String(request.params['token']));
  const { name, options } = pageCookie(engine.publicUrl(), row.id);
  const cookieSecret = pageSecret(request, name);
  const secret = cookieSecret ?? newOneTimeSecret().secret;
  const page = await openPage(engine, row, secret);
  const proof = antiForgeryValue(engine.ring, secret, row.id);
  if (!cookieSecret) response.cookie(name, secret, options);
  sendPage(response, 200, wordsFor(request), (words) =>
    page.state === 'proven' ? questionPage(page.question, proof, words) : proofPage({ ...page, proof }, words),
  );
}

async function keepReceipt({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const row = await elicitationByToken(engine, String(request.params['token']), 'page');
  const secret = pageSecret(request, pageCookie(engine.publicUrl(), row.id).name) ?? '';
  sendReceipt(response, row.id, await issuePageReceipt(engine, row, secret));
}

async function takeForm({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const token = String(request.params['token']);
  // The token first: an invalid one gets no other message.
  const row = await openElicitationByToken(engine, token);
  const { name, options } = pageCookie(engine.publicUrl(), row.id);
  const { form, posted } = parseForm(request);
  const sent = { secret: pageSecret(request, name), proof: form.proof, elicitation: row.id };
  const secret = refuseForgery(engine.ring, request, sent);
  const again = (): void => response.set('cache-control', 'no-store').redirect(303, `/e/${token}`);
  if (form.action === 'prove') {
    const evidence = { code: form.code, user: await signedInUser(engine, request) };
    const proving = await proveRequester(engine, row, evidence);
    if (!proving.isProven) return sendFailure(engine, request, response, { row, secret, left: proving.triesLeft });
    // Another secret from here on, so that a planted first one is useless.
    response.cookie(name, proving.secret, options);
    return again();
  }
  const answer = { action: form.action, digest: form.digest ?? '', posted };
  const outcome = await answerPage(engine, row, secret, answer);
  if (outcome.state === 'unproven') return again();
  sendOutcome(response, outcome, { token, proof: form.proof, words: wordsFor(request) });
}

type Engine = ApiParts['engine'];
type Row = Awaited<ReturnType<typeof openElicitationByToken>>;

async function sendFailure(
  engine: Engine,
  request: Request,
  response: Response,
  { row, secret, left: triesLeft }: { row: Row; secret: string; left: number | null },
): Promise<void> {
  const page = await openPage(engine, row, secret);
  const way = page.state === 'unproven' ? page.way : 'closed';
  const proof = antiForgeryValue(engine.ring, secret, row.id);
  sendPage(response, 403, wordsFor(request), (words) =>
    proofPage({ way, isLocked: triesLeft === 0, proof, failure: { triesLeft } }, words),
  );
}

function sendOutcome(
  response: Response,
  outcome: Exclude<PageOutcome, { state: 'unproven' }>,
  { token, proof, words }: { token: string; proof: string; words: PageWords },
): void {
  const { question } = outcome;
  if (outcome.state === 'refused') return sendPage(response, 400, words, () => questionPage(question, proof, words));
  if (outcome.state === 'answered')
    return sendPage(response, 200, words, () => answeredPage(question, outcome.action, token, words));
  const { address } = question;
  if (!address) throw new Problem('internal');
  sendPage(response, 200, words, () => leavingPage(address, words));
}

function parseForm(request: Request) {
  const sent = readFields(request);
  const posted = (field: string): string[] => sent.getAll(postedName(field));
  return { form: PageForm.parse(Object.fromEntries(sent)), posted };
}
