import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express from 'express';
import type { Express, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { consoleAddresses, entrances } from '#platform/http/contract/addresses';
import { routes } from '#platform/http/contract/openapi';
import { Problem } from '#platform/model/problem';
import { languages, type Language } from '#platform/text/language';
import { languageOf, keepsNoCookies, pageCookie, pageSecret, refuseForgery, wordsFor } from './frame.ts';
import { antiForgeryValue } from '#platform/crypto/anti-forgery';
import { newOneTimeSecret } from '#platform/crypto/random';
import { answerPage, openPage, findLock, pageVisitor, proveRequester, tryInVain, type Proving } from '../verbs/page.ts';
import { findConnection } from '../verbs/callback.ts';
import { tokenFor } from '../verbs/proof.ts';
import { isLoopback } from '#platform/model/names';
import type { ApiParts } from '#platform/http/routes/parts';
import { readWithinLimit } from '#platform/http/routes/limits';
import { expressPath } from '#platform/http/routes/route';
import {
  asPage,
  formReader,
  noteUnproven,
  pageHandler,
  sendPage,
  signedInSession,
  signedInUser,
} from './credentials.ts';
import { noCookiePage, proofPage, type ProofPage } from './proof.ts';
import { goTo, keepJourney, parseForm, sendOutcome, sendQuestion } from './pages.ts';

/**
 * Headers of every answer: nothing is loaded from elsewhere, only our own scripts run, no site frames us. Answers
 * to programs have constant headers.
 */
export function secureHeaders(publicUrl: () => string): RequestHandler {
  const isSecure = publicUrl().startsWith('https:');
  const forPrograms = Object.entries({
    ...programHeaders,
    ...(isSecure && { 'strict-transport-security': transport }),
  });
  const forPages = pageHeaders(isSecure);
  return (request, response, next) => {
    if (!/^\/(?:v1|api)\//.test(request.url)) return forPages(request, response, next);
    for (const [name, value] of forPrograms) response.setHeader(name, value);
    next();
  };
}

const transport = 'max-age=31536000; includeSubDomains';

const programHeaders = {
  'content-security-policy':
    "default-src 'none';script-src 'none';style-src 'none';base-uri 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

function pageHeaders(isSecure: boolean): RequestHandler {
  const giveNonce: RequestHandler = (_request, response, next) => {
    response.locals['nonce'] = randomBytes(16).toString('base64');
    next();
  };
  const nonce = (_request: unknown, response: unknown): string =>
    `'nonce-${String((response as Response).locals['nonce'])}'`;
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [nonce, "'strict-dynamic'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
        styleSrc: ["'self'", nonce],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        reportUri: [routes.reportViolation.path],
      },
    },
    strictTransportSecurity: isSecure && { maxAge: 31_536_000, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
  return (request, response, next) => giveNonce(request, response, () => void headers(request, response, next));
}

const forever = { index: false, immutable: true, maxAge: '1y' };

/** Sends the compressed form of an asset that the build made, if the browser takes it; else the next one answers. */
function preferCompressed(directory: string): RequestHandler {
  const files = existsSync(directory) ? new Set(readdirSync(directory)) : new Set<string>();
  const serve = express.static(directory, { ...forever, fallthrough: false });
  return (request, response, next) => {
    const name = request.path.slice(1);
    const form = compressed.find(({ encoding, suffix }) => {
      return files.has(`${name}${suffix}`) && request.acceptsEncodings(encoding) !== false;
    });
    response.vary('accept-encoding');
    if (form === undefined) return next();
    response.type(path.extname(name)).set('content-encoding', form.encoding);
    request.url = `/${name}${form.suffix}`;
    serve(request, response, next);
  };
}

/** The smallest first: browsers name what they take in no order of their liking. */
const compressed = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
];

/** Files that make the console an app on a phone. Their names stay, so browsers ask whether a file is new. */
export const appFiles = [
  '/service-worker.js',
  '/manifest.webmanifest',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.png',
  '/badge.png',
];

/** The console's files, and its page at every address of the console; elsewhere the answer is not found. */
export function serveConsolePages(app: Express, directory: string, count: RequestHandler): void {
  const pages = readPages(directory);
  const send = (request: Request, response: Response, status: number): void => {
    if (pages === null) throw new Problem('unavailable', { detail: 'Run npm run build: the console is not built.' });
    const page = pages[languageOf(request)][formFor(request.path)].replaceAll(
      '__NONCE__',
      String(response.locals['nonce']),
    );
    response.status(status).set('cache-control', 'no-store').type('html').send(page);
  };
  const assets = path.join(directory, 'assets');
  app.use('/assets', preferCompressed(assets), express.static(assets, forever));
  const setHeaders = (response: Response) => void response.set('cache-control', 'no-cache');
  app.get(appFiles, express.static(directory, { index: false, setHeaders }));
  app.use(count); // files come in dozens with a page
  app.get([...consoleAddresses], (request, response) => send(request, response, 200));
  app.get('/{*anywhere}', (request, response, next) => {
    // Programs get the problem document; only a browser that asks for a page gets one.
    if (pages !== null && request.headers.accept?.includes('text/html')) send(request, response, 404);
    else next();
  });
}

const forms = ['index', 'signed-in', 'request'] as const;

type Page = Record<(typeof forms)[number], string>;

/**
 * Chooses by the address alone: the browser does not send its session's cookie with a link from another site, and its
 * page needs the same scripts to find that no one is signed in.
 */
function formFor(path: string): keyof Page {
  if (path.startsWith('/requests/')) return 'request';
  return (entrances as readonly string[]).includes(path) ? 'index' : 'signed-in';
}

/** The build makes a page in three forms for each language, with the words of its own only. Null if one is missing. */
function readPages(directory: string): Record<Language, Page> | null {
  const pages = languages.map((language) => {
    const ending = language === 'en' ? 'html' : `${language}.html`;
    return [language, readForms(directory, ending)] as const;
  });
  return pages.every(([, page]) => page !== null) ? (Object.fromEntries(pages) as Record<Language, Page>) : null;
}

function readForms(directory: string, ending: string): Page | null {
  const pages = forms.map((form) => [form, readPage(directory, `${form}.${ending}`)] as const);
  return pages.every(([, page]) => page !== null) ? (Object.fromEntries(pages) as Page) : null;
}

function readPage(directory: string, name: string): string | null {
  const file = path.join(directory, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

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
  const { tag, row, ended, link } = await findConnection(engine, String(request.params['token']));
  const { name, options } = pageCookie(engine.publicUrl(), tag);
  const cookieSecret = pageSecret(request, name);
  const secret = cookieSecret ?? newOneTimeSecret().secret;
  if (!cookieSecret) response.cookie(name, secret, options);
  const proof = antiForgeryValue(engine.ring, secret, tag);
  const page = row && link && (await openPage(engine, row, link, secret));
  if (page?.state === 'proven') return sendQuestion(response, page.question, { proof, words: wordsFor(request) });
  if (ended && (await pageVisitor(engine, ended, secret)))
    return goTo(response, `/e/${tokenFor(engine.ring, ended, 'page')}`);
  const lock = link && opensByCode(engine) ? await findLock(engine, link, secret) : null;
  sendProof(engine, request, response, { proof, lock });
}

/** Chooses by the installation alone, so that nothing shows what the token leads to. */
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
  const answer = {
    action: form.action,
    digest: form.digest ?? '',
    posted,
    session: await signedInSession(engine, request),
  };
  const outcome = row && (await answerPage(engine, row, secret, answer));
  if (!row || !outcome || outcome.state === 'unproven') return goTo(response, request.path);
  if (outcome.state === 'signed-out')
    return sendProof(engine, request, response, { proof: form.proof, lock: null, failure: 'unsaid' });
  keepJourney(engine, response, outcome);
  const token = tokenFor(engine.ring, row, 'page');
  sendOutcome(response, outcome, { token, proof: form.proof, words: wordsFor(request) });
}
