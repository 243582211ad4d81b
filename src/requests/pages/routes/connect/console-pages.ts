import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { consoleAddresses, entrances } from '#access/sign-in/contract/authentication';
import { routes } from '#platform/http/contract/openapi';
import { Problem } from '#platform/model/problem';
import { languages, type Language } from '#platform/text/language';
import { languageOf } from '../frame/page-words.ts';

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

/** What makes the console an app that a phone installs. The names stay, so browsers ask whether a file is new. */
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
 * By the address alone: the browser does not send its session's cookie with a link from another site, and its page needs
 * the same scripts to find that no one is signed in.
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
