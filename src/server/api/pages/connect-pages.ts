import type { Request, Response } from 'express';
import { routes } from '#protocol/contract/routes';
import { antiForgeryValue } from '#core/crypto/anti-forgery';
import { newOneTimeSecret } from '#core/crypto/one-time-secret';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { findConnection } from '../../engine/pages/elicitation-by-token.ts';
import { openPage } from '../../engine/pages/open-page.ts';
import { proveRequester } from '../../engine/pages/prove-requester.ts';
import { tokenFor } from '../../engine/pages/requester-address.ts';
import { isLoopback } from '#protocol/model/names';
import type { ApiParts } from '../http/api-parts.ts';
import { readWithinLimit } from '../http/within-limit.ts';
import { expressPath } from '../http/route.ts';
import { asPage, formReader, noteUnproven, pageHandler, sendPage, signedInUser } from './page-exchange.ts';
import { pageCookie, pageSecret, refuseForgery } from './page-session.ts';
import { proofPage, type ProofPage } from './proof-page.ts';
import { goTo, parseForm, sendOutcome, sendQuestion } from './question-exchange.ts';
import { wordsFor } from './words/page-words.ts';

/**
 * The page in front of every outside address. Until its opener has proven to be the requester, it is the same for every
 * token: absent, expired, answered or someone else's.
 */
export function serveConnectPages(parts: ApiParts): void {
  const { app } = parts;
  app.use('/go', asPage);
  app.get(expressPath(routes.showConnectPage), pageHandler(parts, showPage));
  const readForm = readWithinLimit(formReader(32), parts.authenticate.bodies);
  app.post(expressPath(routes.takeConnectForm), readForm, pageHandler(parts, takeForm));
}

async function showPage({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const { tag, row } = await findConnection(engine, String(request.params['token']));
  const { name, options } = pageCookie(engine.publicUrl(), tag);
  const cookieSecret = pageSecret(request, name);
  const secret = cookieSecret ?? newOneTimeSecret().secret;
  if (!cookieSecret) response.cookie(name, secret, options);
  const proof = antiForgeryValue(engine.ring, secret, tag);
  const page = row && (await openPage(engine, row, secret));
  if (page?.state === 'proven') return sendQuestion(response, page.question, { proof, words: wordsFor(request) });
  sendProof(engine, request, response, { proof });
}

/** By the installation alone, so that nothing shows what the token leads to. */
function sendProof(
  engine: ApiParts['engine'],
  request: Request,
  response: Response,
  { proof, failure }: Pick<ProofPage, 'proof' | 'failure'>,
): void {
  const way = isLoopback(engine.publicUrl()) ? 'code' : 'session';
  const page = { way, proof, address: request.path, isLocked: false, ...(failure && { failure }) } as const;
  sendPage(response, failure ? 403 : 200, wordsFor(request), (words) => proofPage(page, words));
}

async function takeForm({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const { tag, row } = await findConnection(engine, String(request.params['token']));
  const { name, options } = pageCookie(engine.publicUrl(), tag);
  const { form, posted } = parseForm(request);
  const sent = { secret: pageSecret(request, name), proof: form.proof, elicitation: tag };
  const secret = refuseForgery(engine.ring, request, sent);
  if (form.action === 'prove') {
    const evidence = { code: form.code, user: await signedInUser(engine, request) };
    const proving = row && (await proveRequester(engine, row, evidence));
    if (!proving?.isProven) {
      await noteUnproven(engine, request, { ...evidence, row });
      return sendProof(engine, request, response, { proof: form.proof, failure: 'unsaid' });
    }
    // Another secret from here on, so that a planted first one is useless.
    response.cookie(name, proving.secret, options);
    return goTo(response, request.path);
  }
  const answer = { action: form.action, digest: form.digest ?? '', posted };
  const outcome = row && (await answerPage(engine, row, secret, answer));
  if (!row || !outcome || outcome.state === 'unproven') return goTo(response, request.path);
  const token = tokenFor(engine.ring, row, 'page');
  sendOutcome(response, outcome, { token, proof: form.proof, words: wordsFor(request) });
}
