import type { Request, Response } from 'express';
import { CredentialForm } from '#connect/credentials/contract';
import { routes } from '#platform/http/contract/openapi';
import { antiForgeryValue } from '#platform/crypto/anti-forgery';
import { newOneTimeSecret } from '#platform/crypto/random';
import { openLink, type LinkedPerson } from '#connect/credentials/verbs';
import { isKnownAs } from '#connect/credentials/verbs';
import { storeCredential } from '#connect/credentials/verbs';
import { isCredential } from '#platform/model/names';
import type { ApiParts } from '#platform/http/routes/parts';
import { readWithinLimit } from '#platform/http/routes/limits';
import { expressPath } from '#platform/http/routes/route';
import { credentialPage, credentialStoredPage, noPersonPage } from './credential-page.ts';
import { asPage, formReader, pageHandler, readFields, sendPage, signedInUser } from './page-exchange.ts';
import { pageCookie, pageSecret, refuseForgery } from '../frame/page-session.ts';
import { wordsFor } from '../frame/page-words.ts';

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
  const form = CredentialForm.parse(Object.fromEntries(readFields(request)));
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

/** By which the browser's cookie, and the forms in it, belong to this link. */
const tagOf = ({ nonceHash }: LinkedPerson): string => nonceHash.toString('hex');
