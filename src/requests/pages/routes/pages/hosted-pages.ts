import type { Request, Response } from 'express';
import { routes } from '#platform/http/contract/openapi';
import type { Outcome } from '../../../asking/contract/elicitation.ts';
import { Problem } from '#platform/model/problem';
import { antiForgeryValue } from '#platform/crypto/anti-forgery';
import { newOneTimeSecret } from '#platform/crypto/random';
import { answerPage } from '../../verbs/page/answer-page.ts';
import { pageByToken } from '../../verbs/callback/elicitation-by-token.ts';
import { issuePageReceipt } from '#audit/receipts/verbs';
import { openPage } from '../../verbs/page/open-page.ts';
import { pageVisitor } from '../../verbs/page/page-visitor.ts';
import { pageProofOf } from '../../verbs/proof/page-code.ts';
import { proveRequester, type Unproven } from '../../verbs/page/prove-requester.ts';
import { takeCallback } from '../../verbs/callback/take-callback.ts';
import type { ApiParts } from '#platform/http/routes/parts';
import { sendReceipt } from '#audit/tree/routes';
import { keepsNoCookies, pageCookie, pageSecret, refuseForgery } from '../frame/page-session.ts';
import { asPage, formReader, noteUnproven, pageHandler, sendPage, signedInUser } from '../credentials/page-exchange.ts';
import { noCookiePage, proofPage } from '../proof.ts';
import { goTo, parseForm, sendOutcome, sendQuestion } from './question-exchange.ts';
import { callbackPage, endedPage } from '../frame/result-pages.ts';
import { wordsFor } from '../frame/page-words.ts';
import { countAddress, readWithinLimit } from '#platform/http/routes/limits';
import { expressPath } from '#platform/http/routes/route';

/** Pages for people without a sign-in, and callbacks for outside services. A link alone decides nothing. */
export function serveHostedPages(parts: ApiParts): void {
  const { app } = parts;
  const readForm = readWithinLimit(formReader(256), parts.authenticate.bodies);
  app.use('/e', asPage);
  app.get('/callback/*rest', asPage);
  app.get(expressPath(routes.showPage), pageHandler(parts, showPage));
  app.post(expressPath(routes.answerPage), readForm, pageHandler(parts, takeForm));
  app.get(expressPath(routes.keepReceipt), pageHandler(parts, keepReceipt));
  app.get(expressPath(routes.showCallback), countAddress(parts.authenticate), (request, response) =>
    sendPage(response, 200, wordsFor(request), callbackPage),
  );

  parts.serve(routes.takeCallback, async ({ params, body }) => ({
    action: await takeCallback(parts.engine, params.token, body),
  }));
}

async function showPage({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const token = String(request.params['token']);
  const { row, link, end } = await pageByToken(engine, token);
  if (end !== null) return sendEnd(engine, request, response, { row, end, token });
  const { name, options } = pageCookie(engine.publicUrl(), row.id);
  const cookieSecret = pageSecret(request, name);
  const secret = cookieSecret ?? newOneTimeSecret().secret;
  const page = await openPage(engine, row, link, secret);
  const proof = antiForgeryValue(engine.ring, secret, row.id);
  if (!cookieSecret) response.cookie(name, secret, options);
  const words = wordsFor(request);
  if (page.state === 'proven') return sendQuestion(response, page.question, { proof, words });
  sendPage(response, 200, words, () => proofPage({ ...page, proof, address: request.path }, words));
}

async function keepReceipt({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const { row } = await pageByToken(engine, String(request.params['token']));
  const secret = pageSecret(request, pageCookie(engine.publicUrl(), row.id).name) ?? '';
  sendReceipt(response, row.id, await issuePageReceipt(engine, row, secret));
}

async function takeForm({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const token = String(request.params['token']);
  // The token first: an invalid one gets no other message.
  const { row, link, end } = await pageByToken(engine, token);
  if (end !== null) return sendEnd(engine, request, response, { row, end, token });
  const { name, options } = pageCookie(engine.publicUrl(), row.id);
  const { form, posted } = parseForm(request);
  const sent = { secret: pageSecret(request, name), proof: form.proof, elicitation: row.id };
  if (keepsNoCookies(request, sent.secret)) return sendPage(response, 403, wordsFor(request), noCookiePage);
  const secret = refuseForgery(engine.ring, request, sent);
  if (form.action === 'prove') {
    const evidence = { code: form.code, user: await signedInUser(engine, request), link, secret };
    const proving = await proveRequester(engine, row, evidence);
    if (!proving.isProven) {
      await noteUnproven(engine, request, { ...evidence, row });
      return sendFailure(engine, request, response, { row, proof: form.proof, failure: proving });
    }
    // Another secret from here on, so that a planted first one is useless.
    response.cookie(name, proving.secret, options);
    return goTo(response, request.path);
  }
  const answer = { action: form.action, digest: form.digest ?? '', posted };
  const outcome = await answerPage(engine, row, secret, answer);
  if (outcome.state === 'unproven') return goTo(response, request.path);
  sendOutcome(response, outcome, { token, proof: form.proof, words: wordsFor(request) });
}

type Engine = ApiParts['engine'];
type Row = Awaited<ReturnType<typeof pageByToken>>['row'];

/** How it ended, for the browser that proved to be the requester's; in any other the link is not valid. */
async function sendEnd(
  engine: Engine,
  request: Request,
  response: Response,
  { row, end, token }: { row: Row; end: Outcome; token: string },
): Promise<void> {
  const secret = pageSecret(request, pageCookie(engine.publicUrl(), row.id).name) ?? '';
  if (!(await pageVisitor(engine, row, secret))) throw new Problem('token-invalid');
  const isSent = request.method === 'POST';
  sendPage(response, isSent ? 409 : 200, wordsFor(request), (words) => endedPage({ end, token, isSent }, words));
}

function sendFailure(
  engine: Engine,
  request: Request,
  response: Response,
  { row, proof, failure }: { row: Row; proof: string; failure: Unproven },
): void {
  const { way } = pageProofOf(engine, row, null);
  const page = { way, lock: failure.lock, proof, address: request.path, failure };
  sendPage(response, 403, wordsFor(request), (words) => proofPage(page, words));
}
