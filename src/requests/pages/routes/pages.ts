import type { Request, Response } from 'express';
import { routes } from '#platform/http/contract/openapi';
import type { Outcome } from '../../asking/contract/elicitation.ts';
import { Problem } from '#platform/model/problem';
import { antiForgeryValue } from '#platform/crypto/anti-forgery';
import { newOneTimeSecret } from '#platform/crypto/random';
import { findConnectionEnd } from '#connect/connections/verbs/end';
import { findOutcomeEnd } from '#connect/outcomes/verbs/end';
import { journeyLife } from '#connect/connections/verbs/leave';
import {
  answerPage,
  openPage,
  pageVisitor,
  proveRequester,
  type Unproven,
  type PageOutcome,
  type PageQuestion,
  type PageAddress,
  type PageField,
} from '../verbs/page.ts';
import { pageByToken, takeCallback } from '../verbs/callback.ts';
import { issuePageReceipt } from '#audit/receipts/verbs';
import { pageProofOf } from '../verbs/proof.ts';
import type { ApiParts } from '#platform/http/routes/parts';
import { sendReceipt } from '#audit/tree/routes';
import {
  keepsNoCookies,
  pageCookie,
  pageSecret,
  refuseForgery,
  callbackPage,
  endedPage,
  wordsFor,
  answeredPage,
  type PageWords,
  type PageParts,
  markup,
  revealIn,
  type Markup,
  type Part,
} from './frame.ts';
import {
  asPage,
  formReader,
  noteUnproven,
  pageHandler,
  sendPage,
  signedInSession,
  signedInUser,
  readFields,
} from './credentials.ts';
import { noCookiePage, proofPage } from './proof.ts';
import { countAddress, readWithinLimit } from '#platform/http/routes/limits';
import { expressPath } from '#platform/http/routes/route';
import { PageForm } from '../contract.ts';

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
  if (page.state === 'proven') {
    const { digest, outcome: expected } = page.question;
    if (expected?.isWaiting) return sendWaiting(response, { ...expected, digest }, { proof, words });
    return sendQuestion(response, page.question, { proof, words });
  }
  sendPage(response, 200, words, () => proofPage({ ...page, proof, address: request.path }, words));
}

/** Seconds after which a page that waits for a provider is loaded again. */
const waitSeconds = 3;

/** For the person who comes back from a provider that has not said what happened. */
function sendWaiting(
  response: Response,
  { provider, address, digest }: NonNullable<PageQuestion['outcome']> & { digest: string },
  { proof, words }: { proof: string; words: PageWords },
): void {
  response.set('refresh', String(waitSeconds));
  letLeave(response, new URL(address.url));
  const { waiting, waitingNote, notFinished } = words.outcome;
  sendPage(response, 200, words, () => ({
    title: waiting(provider),
    body: markup`<h1>${waiting(provider)}</h1>
<p>${waitingNote(provider)}</p>
<form class="decide" method="post">
${hiddenFields(digest, proof)}
<p class="soft">${notFinished}</p>
<p><button name="action" value="accept">${words.question.goTo(address.host)}</button></p>
</form>`,
  }));
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
  const answer = {
    action: form.action,
    digest: form.digest ?? '',
    posted,
    session: await signedInSession(engine, request),
  };
  const outcome = await answerPage(engine, row, secret, answer);
  if (outcome.state === 'unproven' || outcome.state === 'signed-out') return goTo(response, request.path);
  keepJourney(engine, response, outcome);
  sendOutcome(response, outcome, { token, proof: form.proof, words: wordsFor(request) });
}

type Engine = ApiParts['engine'];
type Row = Awaited<ReturnType<typeof pageByToken>>['row'];

/** The end of the request, for the browser that proved to be the requester's; in any other the link is not valid. */
async function sendEnd(
  engine: Engine,
  request: Request,
  response: Response,
  { row, end, token }: { row: Row; end: Outcome; token: string },
): Promise<void> {
  const secret = pageSecret(request, pageCookie(engine.publicUrl(), row.id).name) ?? '';
  if (!(await pageVisitor(engine, row, secret))) throw new Problem('token-invalid');
  const isSent = request.method === 'POST';
  const [connection, outcome] = [await findConnectionEnd(engine, row), findOutcomeEnd(engine, row)];
  const page = { end, token, isSent, connection, outcome };
  sendPage(response, isSent ? 409 : 200, wordsFor(request), (words) => endedPage(page, words));
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

/** The question, for the person who has proven who they are. */
export function sendQuestion(
  response: Response,
  question: PageQuestion,
  { proof, words, status = 200 }: { proof: string; words: PageWords; status?: number },
): void {
  const address = placeOf(question);
  if (address) letLeave(response, new URL(address.url));
  sendPage(response, status, words, () => questionPage(question, proof, words));
}

/**
 * Chromium checks every redirect after a form by its page's `form-action`, also those of the outside service. No other
 * host than one of this machine is written into the policy: it could have a `;`, and so add to it.
 */
function letLeave(response: Response, { protocol, origin }: URL): void {
  const policy = String(response.get('content-security-policy'));
  const leading = protocol === 'http:' ? `https: ${origin}` : 'https:';
  response.set('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${leading}`));
}

/** The cookie of one way to a provider: without it, its address redeems nothing. */
export function journeyCookie(publicUrl: string, state: string): ReturnType<typeof pageCookie> {
  const { name, options } = pageCookie(publicUrl, `way ${state}`);
  return { name, options: { ...options, maxAge: journeyLife } };
}

export function keepJourney(engine: Engine, response: Response, outcome: PageOutcome): void {
  if (outcome.state !== 'departing') return;
  const { secret, state } = outcome.journey;
  const { name, options } = journeyCookie(engine.publicUrl(), state);
  response.cookie(name, secret, options);
}

/** `token` opens the receipt. */
export function sendOutcome(
  response: Response,
  outcome: Exclude<PageOutcome, { state: 'unproven' | 'signed-out' }>,
  { token, proof, words }: { token: string; proof: string; words: PageWords },
): void {
  if (outcome.state === 'leaving' || outcome.state === 'departing') return goTo(response, outcome.address);
  const { question } = outcome;
  if (outcome.state === 'refused') return sendQuestion(response, question, { proof, words, status: 400 });
  sendPage(response, 200, words, () => answeredPage(question, outcome.action, token, words));
}

/** Letter by letter, because a signature may cover the address. */
export function goTo(response: Response, address: string): void {
  response.status(303).set('cache-control', 'no-store').setHeader('location', address).end();
}

export function parseForm(request: Request) {
  const sent = readFields(request);
  const posted = (field: string): string[] => sent.getAll(postedName(field));
  return { form: PageForm.parse(Object.fromEntries(sent)), posted };
}

/** The request in the order people need it: what will run, for whom, why, until when, and only then the answer. */
function questionPage(question: PageQuestion, proof: string, words: PageWords): PageParts {
  const name = question.tool.title ?? question.tool.name;
  const isWrong = question.form?.fields.some(({ fault }) => fault !== null) === true;
  const { connecting: connection, secret } = question;
  const title = connection
    ? words.connecting.uses(question.server, connection.provider)
    : secret
      ? words.secret.enter(secret.label, question.server)
      : words.question.title(name);
  const heading =
    connection || secret ? revealIn(words, title) : markup`${revealIn(words, name)} ${words.question.needsAnswer}`;
  return {
    title: isWrong ? words.question.notSent(title) : title,
    body: markup`<h1>${heading}</h1>
<dl>
${whatRuns(question, words)}
${whoAsks(question, words)}
${why(question, words)}
${untilWhen(question, words)}
</dl>
<form class="decide" method="post"${placeOf(question) ? null : markup` action="#${wrongId}"`} autocomplete="off" novalidate>
${hiddenFields(question.digest, proof)}
${wrongSummary(question, words)}
${connecting(question, words)}
${outcome(question, words)}
${labelWarning(question, words)}
${question.address ? consent(question.address, words) : formOf(question, words)}
${actionsOf(question, words)}
</form>`,
  };
}

const hiddenFields = (digest: string, proof: string): Markup[] => [
  markup`<input type="hidden" name="proof" value="${proof}">`,
  markup`<input type="hidden" name="digest" value="${digest}">`,
];

const entry = (term: string, ...details: Part[]): Markup =>
  markup`<div><dt>${term}</dt>${details.map((detail) => (detail === null ? null : markup`<dd>${detail}</dd>`))}</div>`;

function whatRuns({ tool, arguments: args }: PageQuestion, words: PageWords): Markup {
  const { what, tool: lead, withArguments, withoutArguments } = words.question;
  const isBare = args === '{}';
  return entry(
    what,
    markup`${lead} <code>${revealIn(words, tool.name)}</code> ${isBare ? withoutArguments : withArguments}`,
    isBare ? null : markup`<pre>${revealIn(words, args)}</pre>`,
  );
}

function whoAsks({ server, tool, requester }: PageQuestion, words: PageWords): Markup {
  const person = `${requester.subject} (${words.shared.verification(requester)})`;
  return entry(
    words.question.who,
    markup`${words.question.server} <strong>${revealIn(words, server)}</strong>`,
    tool.reaches === null ? null : markup`${words.question.runs} <code>${revealIn(words, tool.reaches)}</code>`,
    markup`<span class="soft">${words.question.requester} ${revealIn(words, person)}</span>`,
  );
}

const why = ({ message, reason }: PageQuestion, words: PageWords): Markup =>
  entry(
    words.question.question,
    markup`<p class="read">${revealIn(words, message)}</p>`,
    reason === null
      ? null
      : markup`<p class="soft">${words.question.agent}</p><blockquote>${revealIn(words, reason)}</blockquote>`,
  );

const untilWhen = ({ deadlineAt, now }: PageQuestion, words: PageWords): Markup =>
  entry(
    words.question.until,
    markup`<time datetime="${new Date(deadlineAt).toISOString()}">${readable(deadlineAt, words)}</time>, ${words.question.remaining(roundedTime(deadlineAt - now))}`,
    markup`<span class="soft">${words.question.untilNote}</span>`,
  );

/** Milliseconds, rounded to minutes, to hours from 90 minutes on, or to days from 48 hours on. */
function roundedTime(milliseconds: number): number {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 90) return minutes * 60_000;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? hours * 3_600_000 : Math.round(hours / 24) * 86_400_000;
}

const readable = (at: number, { locale }: PageWords): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at);

/** Anchor to which a refused form scrolls. Not on the way elsewhere: a redirect would take it along. */
const wrongId = 'wrong';

function wrongSummary({ form }: PageQuestion, words: PageWords): Markup | null {
  const wrong = (form?.fields ?? []).flatMap(({ label, fault }, index) => (fault ? [{ label, fault, index }] : []));
  if (wrong.length === 0) return null;
  const lines = wrong.map(
    ({ label, fault, index }) =>
      markup`<li><a href="#${fieldId(index)}">${revealIn(words, label)}</a>: ${words.shared.fault(fault)}</li>`,
  );
  const { nothingSent, kept, keptWithoutSecrets } = words.question;
  return markup`<div class="wrong" id="${wrongId}" role="alert">
<h2>${nothingSent}</h2>
<p>${form?.fields.some(({ isSecret }) => isSecret) ? keptWithoutSecrets : kept}</p>
<ul>${lines}</ul>
</div>`;
}

function formOf({ form }: PageQuestion, words: PageWords): Markup | null {
  if (!form) return null;
  return markup`${form.title ? markup`<h2>${revealIn(words, form.title)}</h2>` : null}
${form.description ? markup`<p class="lines">${revealIn(words, form.description)}</p>` : null}
${form.fields.map((field, index) => renderField(field, index, words))}`;
}

/** Where the person goes; null if they answer here. */
const placeOf = ({ address, connecting, outcome }: Pick<PageQuestion, 'address' | 'connecting' | 'outcome'>) =>
  address ?? connecting?.address ?? outcome?.address ?? null;

/** What will be paid or signed, and where. */
function outcome({ outcome: expected }: PageQuestion, words: PageWords): Markup | null {
  if (!expected) return null;
  const { expected: what, payee, provider, address } = expected;
  const { heading, headingPlain, sign, for: purpose } = words.outcome;
  const amount = what.kind === 'payment' ? `${what.amount} ${what.currency}` : '';
  const pay = payee === null ? headingPlain(amount) : heading(amount, payee);
  return markup`<div class="field">
<h2>${revealIn(words, what.kind === 'payment' ? pay : sign(what.for))}</h2>
${what.kind === 'payment' ? markup`<p>${purpose} ${revealIn(words, what.for)}</p>` : null}
<p class="soft">${words.question.leaving} ${provider}</p>
<p class="host">${address.host}</p>
</div>`;
}

/** The server chose the name of what it asks for. */
function labelWarning({ secret, server }: PageQuestion, words: PageWords): Markup | null {
  const { provider = null, isAskedByOthers = false } = secret?.warning ?? {};
  const { imitates, isAskedByOthers: others } = words.secret;
  return markup`${provider === null ? null : markup`<p class="notice">${revealIn(words, imitates(server, provider))}</p>`}
${isAskedByOthers ? markup`<p class="notice">${revealIn(words, others(server))}</p>` : null}`;
}

/** What will be connected, and what the server may then do with it. */
function connecting({ connecting: connection }: PageQuestion, words: PageWords): Markup | null {
  if (!connection) return null;
  const { permits, permitsName, insecure, givesAccess, chosen } = words.connecting;
  const { provider, scopes, address, resource, isChosen } = connection;
  return markup`<div class="field">
<h2>${revealIn(words, scopes.length > 0 ? permits(provider) : permitsName(provider))}</h2>
${scopes.length > 0 ? markup`<ul>${scopes.map((scope) => markup`<li><code>${scope}</code></li>`)}</ul>` : null}
${resource === null ? null : markup`<p>${revealIn(words, givesAccess(resource))}</p>`}
<p class="soft">${words.question.leaving}</p>
<p class="host">${address.host}</p>
${isChosen ? markup`<p class="notice">${revealIn(words, chosen(address.host))}</p>` : null}
${address.isSecure ? null : markup`<p class="notice">${insecure}</p>`}
</div>`;
}

function consent({ host, unicodeHost, isSecure, url }: PageAddress, words: PageWords): Markup {
  const { leaving, imitates, insecure, address } = words.question;
  const [before, name = '', after] = unicodeHost === null ? [] : imitates(unicodeHost);
  return markup`<div class="field">
<p class="soft">${leaving}</p>
<p class="host">${host}</p>
${unicodeHost === null ? null : markup`<p class="notice">${before ?? ''}<bdi>${revealIn(words, name)}</bdi>${after ?? ''}</p>`}
${isSecure ? null : markup`<p class="notice">${insecure}</p>`}
<p class="soft">${address}</p>
<pre>${revealIn(words, url)}</pre>
</div>`;
}

/** Three buttons of the same weight; the accepting one is first, so that Enter in a field sends the form. */
function actionsOf({ server, form, ...question }: PageQuestion, words: PageWords): Markup {
  const address = placeOf(question);
  const { goTo, send, accept, decline, cancel, acceptUrl, acceptForm, others } = words.question;
  const [before = '', , after = ''] = acceptForm(server);
  const { connecting: connection, outcome: expected } = question;
  const expectedUrl = expected ? words.outcome.consequence(expected.provider) : acceptUrl;
  const leaving = connection ? consequenceOf(connection, words) : expectedUrl;
  const answering = question.secret
    ? markup`${revealIn(words, words.secret.consequence(question.secret.keep, server))}`
    : markup`${before}${revealIn(words, server)}${after}`;
  const consequence = address ? leaving : answering;
  return markup`<p class="soft">${consequence} ${others}</p>
<div class="actions${address ? ' leaving' : ''}">
<button name="action" value="accept">${address ? goTo(address.host) : form?.fields.length ? send : accept}</button>
<button name="action" value="decline">${decline}</button>
<button name="action" value="cancel">${cancel}</button>
</div>`;
}

function consequenceOf(
  { provider, isInProfile }: NonNullable<PageQuestion['connecting']>,
  { connecting: { consequence, inProfile, byCommand } }: PageWords,
): string {
  return `${consequence(provider)} ${isInProfile ? inProfile : byCommand}`;
}

/** The name a field is posted under; distinct from the form's own fields for any tool. */
const postedName = (name: string): string => `field.${name}`;

/** One field with its label, its rule, what was typed and its fault. */
function renderField(field: PageField, index: number, words: PageWords): Markup {
  const isGroup = ['boolean', 'multi-select'].includes(field.kind) || isFewOptions(field);
  return isGroup ? renderGroup(field, index, words) : renderSingle(field, index, words);
}

const fieldId = (index: number): string => `field-${index}`;

/** With more options, a select box is quicker to read. */
const maxRadios = 6;
const isFewOptions = ({ kind, options }: PageField): boolean => kind === 'single-select' && options.length <= maxRadios;

function renderSingle(field: PageField, index: number, words: PageWords): Markup {
  const id = fieldId(index);
  return markup`<div class="field">
<label class="label" for="${id}">${labelOf(field, words)}</label>
${notesOf(field, id, words)}
${renderControl(field, id, words)}
</div>`;
}

function renderControl(field: PageField, id: string, words: PageWords): Markup {
  const shared = markup`id="${id}" name="${postedName(field.name)}"${attributesOf(field, id)}`;
  const typed = field.isSecret ? '' : (field.typed[0] ?? '');
  if (field.kind === 'single-select') return renderSelect(field, shared, typed, words);
  // HTML drops a line break right after the tag.
  if (field.isLong || field.kind === 'string-list') return markup`<textarea ${shared} rows="4">\n${typed}</textarea>`;
  return markup`<input ${shared} ${inputOf(field)} value="${typed}" autocomplete="${field.isSecret ? 'new-password' : 'off'}">`;
}

// Never type=email, url or number: browsers trim and rewrite those, and their own messages would mix with ours.
function inputOf({ kind, isSecret }: PageField): Markup {
  if (isSecret) return markup`type="password"`;
  switch (kind) {
    case 'date':
      return markup`type="date"`;
    case 'date-time':
      return markup`type="datetime-local" step="1"`;
    case 'number':
      return markup`type="text" inputmode="decimal"`;
    case 'integer':
      return markup`type="text" inputmode="numeric"`;
    case 'email':
      return markup`type="text" inputmode="email"`;
    case 'uri':
      return markup`type="text" inputmode="url"`;
    default:
      return markup`type="text"`;
  }
}

const renderSelect = (
  { options, isRequired }: PageField,
  shared: Markup,
  typed: string,
  { field }: PageWords,
): Markup =>
  markup`<select ${shared}>
<option value="">${isRequired ? field.choose : field.noAnswer}</option>
${options.map(({ value, title }) => markup`<option value="${value}"${mark(value === typed, markup` selected`)}>${title}</option>`)}
</select>`;

function renderGroup(field: PageField, index: number, words: PageWords): Markup {
  const { noAnswer, yes, no } = words.field;
  const yesOrNo = [
    { value: 'true', title: yes },
    { value: 'false', title: no },
  ];
  const id = fieldId(index);
  const type = field.kind === 'multi-select' ? 'checkbox' : 'radio';
  const named = field.kind === 'boolean' ? yesOrNo : field.options;
  // A chosen radio button cannot be cleared.
  const options = type === 'checkbox' || field.isRequired ? named : [...named, { value: '', title: noAnswer }];
  const typed = field.typed.length > 0 ? field.typed : [''];
  const name = postedName(field.name);
  const choices = options.map(
    ({ value, title }, at) => markup`<label class="choice">
<input type="${type}" name="${name}" value="${value}"${mark(at === 0, markup` id="${id}"`)}${mark(typed.includes(value), markup` checked`)}>
<span>${revealIn(words, title)}</span>
</label>`,
  );
  return markup`<fieldset class="field"${describedBy(field, id)}>
<legend class="label">${labelOf(field, words)}</legend>
${notesOf(field, id, words)}
<div>${choices}</div>
</fieldset>`;
}

const mark = (isSet: boolean, attribute: Markup): Markup | null => (isSet ? attribute : null);

const labelOf = ({ label, isRequired }: PageField, words: PageWords): Markup =>
  markup`${revealIn(words, label)}${isRequired ? null : markup` <span class="soft">(${words.field.optional})</span>`}`;

const notesOf = ({ description, rules, fault }: PageField, id: string, words: PageWords): Markup =>
  markup`${description ? markup`<p class="soft lines" id="${id}-about">${revealIn(words, description)}</p>` : null}
${rules.length > 0 ? markup`<p class="rule" id="${id}-rule">${rules.map(words.shared.rule).join(' ')}</p>` : null}
${fault ? markup`<p class="error" id="${id}-error">${words.shared.fault(fault)}</p>` : null}`;

const attributesOf = (field: PageField, id: string): Markup =>
  markup`${describedBy(field, id)}${mark(field.isRequired, markup` aria-required="true"`)}${mark(field.fault !== null, markup` aria-invalid="true"`)}`;

function describedBy({ description, rules, fault }: PageField, id: string): Markup | null {
  const ids = [description && `${id}-about`, rules.length > 0 && `${id}-rule`, fault && `${id}-error`].filter(Boolean);
  return ids.length === 0 ? null : markup` aria-describedby="${ids.join(' ')}"`;
}
