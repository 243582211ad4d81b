import express from 'express';
import type { Request, Response, RequestHandler } from 'express';
import { CredentialForm as CredentialFormBody } from '#connect/credentials/contract';
import { routes } from '#platform/http/contract/openapi';
import { antiForgeryValue } from '#platform/crypto/anti-forgery';
import { hashSecret, newOneTimeSecret } from '#platform/crypto/random';
import { openLink, type LinkedPerson, isKnownAs, storeCredential } from '#connect/credentials/verbs';
import { isCredential } from '#platform/model/names';
import type { ApiParts } from '#platform/http/routes/parts';
import { readWithinLimit, withinLimit, addressOf } from '#platform/http/routes/limits';
import { expressPath, type RenderProblem } from '#platform/http/routes/route';
import {
  pageCookie,
  pageSecret,
  refuseForgery,
  wordsFor,
  type PageParts,
  markup,
  revealIn,
  type PageWords,
  renderPage,
  troublePage,
} from './frame.ts';
import type { User } from '#people/directory/contract/user';
import { signInLink } from './proof.ts';
import { findSession } from '#access/sign-in/verbs/sessions';
import { signInSteps } from '#access/factors/contract/factor-rule';
import type { ElicitationId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { sessionSecret } from '#platform/http/routes/authenticate';

/** The page on which a person enters their credentials for a server. The link alone shows and stores nothing. */
export function serveCredentialPages(parts: ApiParts): void {
  const { app } = parts;
  app.use('/credentials', asPage);
  app.get(expressPath(routes.showCredentialPage), pageHandler(parts, showPage));
  app.post(
    expressPath(routes.storeCredential),
    readWithinLimit(formReader(32), parts.authenticate.bodies),
    pageHandler(parts, takeForm),
  );
}

async function showPage({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const link = await openLink(engine, String(request.params['token']));
  const { name, options } = pageCookie(engine.publicUrl(), tagOf(link));
  const cookieSecret = pageSecret(request, name);
  const secret = cookieSecret ?? newOneTimeSecret().secret;
  if (!cookieSecret) response.cookie(name, secret, options);
  const proof = antiForgeryValue(engine.ring, secret, tagOf(link));
  sendPage(response, 200, wordsFor(request), (words) =>
    noPersonPage({ proof, isRefused: false, address: request.path }, words),
  );
}

/** The sign-in is looked at each time: the cookie of the console comes along because the form is on our own site. */
async function takeForm({ engine }: ApiParts, request: Request, response: Response): Promise<void> {
  const link = await openLink(engine, String(request.params['token'])); // first: an invalid one gets no other message
  const form = CredentialFormBody.parse(Object.fromEntries(readFields(request)));
  const sent = pageSecret(request, pageCookie(engine.publicUrl(), tagOf(link)).name);
  const secret = refuseForgery(engine.ring, request, { secret: sent, proof: form.proof, elicitation: tagOf(link) });
  const proof = antiForgeryValue(engine.ring, secret, tagOf(link));
  const words = wordsFor(request);
  const user = await signedInUser(engine, request);
  if (!user || !(await isKnownAs(engine, user.id, link.person)))
    return sendPage(response, 403, words, () => noPersonPage({ proof, isRefused: true, address: request.path }, words));
  const shown = { proof, server: link.server.name, person: user };
  const entered = form.secret?.trim() ?? '';
  if (form.action === 'prove') return sendPage(response, 200, words, () => credentialPage(shown, words));
  if (!isCredential(entered))
    return sendPage(response, 400, words, () => credentialPage({ ...shown, isWrong: true }, words));
  await storeCredential(engine, user.id, link, entered);
  sendPage(response, 200, words, () => credentialStoredPage(link.server.name, words));
}

/** Name that ties the browser's cookie, and the forms in it, to this link. */
const tagOf = ({ nonceHash }: LinkedPerson): string => nonceHash.toString('hex');

interface NoPerson {
  /** The anti-forgery value. */
  proof: string;
  /** They said that they had signed in. */
  isRefused: boolean;
  /** Address of this page, to come back to. */
  address: string;
}

/** Page for anyone with the link: it asks them to sign in, and does not say for what. */
const noPersonPage = (
  { proof, isRefused, address }: NoPerson,
  { credential: words, proof: signIn }: PageWords,
): PageParts => ({
  title: words.signInTitle,
  body: markup`<h1>${words.signInTitle}</h1>
<p>${words.signInNote}</p>
${isRefused ? markup`<p class="wrong" role="alert">${words.wrongPerson}</p>` : null}
<form method="post">
<input type="hidden" name="proof" value="${proof}">
<div class="actions">
${signInLink(address, signIn)}
<button name="action" value="prove">${signIn.signedIn}</button>
</div>
</form>`,
});

interface CredentialForm {
  proof: string;
  server: string;
  person: User;
  /** True if the entered value cannot be sent. */
  isWrong?: boolean;
}

/** The form, for the person whose link it is. What was entered is never sent back. */
function credentialPage({ proof, server, person, isWrong = false }: CredentialForm, words: PageWords): PageParts {
  const { title, note, who, label, advice, wrong, store } = words.credential;
  const [before = '', after = ''] = note;
  return {
    title: title(server),
    body: markup`<h1>${revealIn(words, title(server))}</h1>
<p>${before}<strong>${revealIn(words, server)}</strong>${after}</p>
<dl><div><dt>${who}</dt><dd>${revealIn(words, person.name)} <span class="soft">${revealIn(words, person.email)}</span></dd></div></dl>
<form method="post" autocomplete="off">
<input type="hidden" name="proof" value="${proof}">
<div class="field">
<label class="label" for="secret">${label}</label>
<p class="soft" id="secret-advice">${advice}</p>
${isWrong ? markup`<p class="wrong" role="alert" id="secret-fault">${wrong}</p>` : null}
<input id="secret" name="secret" type="password" autocomplete="new-password" autocapitalize="off" spellcheck="false" maxlength="4096" required aria-describedby="${isWrong ? 'secret-fault secret-advice' : 'secret-advice'}"${isWrong ? markup` aria-invalid="true"` : null}>
</div>
<div class="actions"><button name="action" value="store">${store}</button></div>
</form>`,
  };
}

const credentialStoredPage = (server: string, words: PageWords): PageParts => ({
  title: words.credential.stored,
  body: markup`<h1>${words.credential.stored}</h1>
<p>${revealIn(words, words.credential.storedNote(server))}</p>
<p><a href="/account">${words.credential.manage}</a></p>`,
});

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

/** Their session at the console in this browser, by which a form of our own site comes; null if no one is signed in. */
export async function signedInSession(
  engine: ApiParts['engine'],
  request: Request,
): Promise<{ user: UserId; hash: Uint8Array } | null> {
  const user = await signedInUser(engine, request);
  const secret = sessionSecret(request, engine.publicUrl());
  return user && secret ? { user: user.id, hash: hashSecret(secret) } : null;
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
