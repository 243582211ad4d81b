import express, { type Request, type RequestHandler, type Response } from 'express';
import { findSession } from '#access/sign-in/verbs/sessions';
import { signInSteps } from '#access/factors/contract/factor-rule';
import type { User } from '#people/directory/contract/user';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { ApiParts } from '#platform/http/routes/parts';
import { sessionSecret } from '#platform/http/routes/authenticate';
import { withinLimit } from '#platform/http/routes/limits';
import { addressOf } from '#platform/http/routes/limits';
import type { RenderProblem } from '#platform/http/routes/route';
import { renderPage, type PageParts } from '../frame/frame.ts';
import { troublePage } from '../frame/result-pages.ts';
import { wordsFor, type PageWords } from '../frame/page-words.ts';

/** From here on, an error is shown as a page in the reader's language. */
export const asPage: RequestHandler = (request, response, next) => {
  const words = wordsFor(request);
  response.vary('Accept-Language');
  const render: RenderProblem = (problem) => ({
    type: 'text/html; charset=utf-8',
    text: renderPage(troublePage(problem, words), words.language, String(response.locals['nonce'])),
  });
  response.locals['renderProblem'] = render;
  next();
};

export function sendPage(
  response: Response,
  status: number,
  words: PageWords,
  page: (words: PageWords) => PageParts,
): void {
  response.set('cache-control', 'no-store').status(status).type('html');
  response.send(renderPage(page(words), words.language, String(response.locals['nonce'])));
}

/** A page's handler, counted as a call and as work of where its request comes from. */
export const pageHandler =
  (parts: ApiParts, page: (parts: ApiParts, request: Request, response: Response) => Promise<void>) =>
  async (request: Request, response: Response): Promise<void> => {
    await parts.authenticate.countCall(addressOf(request));
    await withinLimit(parts.authenticate.work, addressOf(request), () => page(parts, request, response));
  };

export const formReader = (kilobytes: number): RequestHandler =>
  express.text({
    type: 'application/x-www-form-urlencoded',
    limit: kilobytes * 1024,
    defaultCharset: 'utf-8',
  });

/** The fields of the form that was sent; refuses everything else. */
export function readFields(request: Request): URLSearchParams {
  if (!request.is('application/x-www-form-urlencoded')) {
    throw new Problem('unsupported-media-type', {
      detail: 'Send the form of the page itself: this address accepts nothing else.',
    });
  }
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}

/** The person who is completely signed in at the console in this browser. The cookie is sent because the form is on our own site. */
export async function signedInUser(engine: ApiParts['engine'], request: Request): Promise<User | null> {
  const secret = sessionSecret(request, engine.publicUrl());
  const session = secret ? await findSession(engine, secret, signInSteps) : null;
  return session?.step === null ? session.user : null;
}

/** Logs that someone else, or someone with a wrong code, wanted to answer. Not to be signed in yet is no refusal. */
export async function noteUnproven(
  { access }: ApiParts['engine'],
  request: Request,
  { row, user, code }: { row: { id: ElicitationId } | null; user: User | null; code: string | undefined },
): Promise<void> {
  if (!user && code === undefined) return;
  await access.recordRefusal({
    type: 'access.refused',
    what: row ? 'forbidden' : 'token-invalid',
    by: user ? { kind: 'user', id: user.id } : { kind: 'stranger' },
    about: row ? [row.id] : [],
    address: addressOf(request),
  });
}
