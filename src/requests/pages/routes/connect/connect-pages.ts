import type { Request, Response } from 'express';
import { routes } from '#platform/http/contract/openapi';
import { antiForgeryValue } from '#platform/crypto/anti-forgery';
import { newOneTimeSecret } from '#platform/crypto/random';
import { answerPage } from '../../verbs/page/answer-page.ts';
import { findConnection } from '../../verbs/callback/elicitation-by-token.ts';
import { openPage } from '../../verbs/page/open-page.ts';
import { findLock, proveRequester, tryInVain, type Proving } from '../../verbs/page/prove-requester.ts';
import { tokenFor } from '../../verbs/proof/requester-address.ts';
import { isLoopback } from '#platform/model/names';
import type { ApiParts } from '#platform/http/routes/parts';
import { readWithinLimit } from '#platform/http/routes/limits';
import { expressPath } from '#platform/http/routes/route';
import { asPage, formReader, noteUnproven, pageHandler, sendPage, signedInUser } from '../credentials/page-exchange.ts';
import { keepsNoCookies, pageCookie, pageSecret, refuseForgery } from '../frame/page-session.ts';
import { noCookiePage, proofPage, type ProofPage } from '../proof.ts';
import { goTo, parseForm, sendOutcome, sendQuestion } from '../pages/question-exchange.ts';
import { wordsFor } from '../frame/page-words.ts';

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
  const { tag, row, link } = await findConnection(engine, String(request.params['token']));
  const { name, options } = pageCookie(engine.publicUrl(), tag);
  const cookieSecret = pageSecret(request, name);
  const secret = cookieSecret ?? newOneTimeSecret().secret;
  if (!cookieSecret) response.cookie(name, secret, options);
  const proof = antiForgeryValue(engine.ring, secret, tag);
  const page = row && link && (await openPage(engine, row, link, secret));
  if (page?.state === 'proven') return sendQuestion(response, page.question, { proof, words: wordsFor(request) });
  const lock = link && opensByCode(engine) ? await findLock(engine, link, secret) : null;
  sendProof(engine, request, response, { proof, lock });
}

/** By the installation alone, so that nothing shows what the token leads to. */
function sendProof(
  engine: ApiParts['engine'],
  request: Request,
  response: Response,
  { proof, lock, failure }: Pick<ProofPage, 'proof' | 'lock' | 'failure'>,
): void {
  const way = opensByCode(engine) ? 'code' : 'session';
  const page = { way, proof, address: request.path, lock, ...(failure && { failure }) } as const;
  sendPage(response, failure ? 403 : 200, wordsFor(request), (words) => proofPage(page, words));
}

const opensByCode = (engine: ApiParts['engine']): boolean => isLoopback(engine.publicUrl());

/** At a link whose request has ended, tries are counted as at any other, so that nothing shows the end. */
async function prove(
  engine: ApiParts['engine'],
  row: Parameters<typeof proveRequester>[1] | null,
  shown: Parameters<typeof proveRequester>[2],
): Promise<Proving | null> {
  if (row) return proveRequester(engine, row, shown);
  return opensByCode(engine) ? tryInVain(engine, shown.link, shown.secret) : null;
}

async function takeForm({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const { tag, row, link } = await findConnection(engine, String(request.params['token']));
  const { name, options } = pageCookie(engine.publicUrl(), tag);
  const { form, posted } = parseForm(request);
  const sent = { secret: pageSecret(request, name), proof: form.proof, elicitation: tag };
  if (keepsNoCookies(request, sent.secret)) return sendPage(response, 403, wordsFor(request), noCookiePage);
  const secret = refuseForgery(engine.ring, request, sent);
  if (form.action === 'prove') {
    const evidence = { code: form.code, user: await signedInUser(engine, request) };
    const proving = link && (await prove(engine, row, { ...evidence, link, secret }));
    if (!proving?.isProven) {
      await noteUnproven(engine, request, { ...evidence, row });
      return sendProof(engine, request, response, {
        proof: form.proof,
        lock: proving?.lock ?? null,
        failure: 'unsaid',
      });
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
