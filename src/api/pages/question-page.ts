import type { PageAddress, PageQuestion } from '../../engine/pages/open-page.ts';
import { sayVerification } from '../../model/user.ts';
import { fieldId, renderField } from './field-control.ts';
import type { PageParts } from './frame.ts';
import { markup, reveal, type Markup, type Part } from './markup.ts';

/** The question in the order people need it: what runs, who asks, why, by which rule, and only then the answer. */
export function questionPage(question: PageQuestion, proof: string): PageParts {
  const name = question.tool.title ?? question.tool.name;
  const wrong = (question.form?.fields ?? []).filter(({ error }) => error !== null);
  return {
    title: `${wrong.length > 0 ? 'Not sent: ' : ''}${name} needs your answer`,
    body: markup`<h1>${reveal(name)} needs your answer</h1>
<dl>
${whatRuns(question)}
${whoAsks(question)}
${why(question)}
${rule(question)}
</dl>
<form class="decide" method="post" autocomplete="off" novalidate>
<input type="hidden" name="proof" value="${proof}">
<input type="hidden" name="digest" value="${question.digest}">
${wrongSummary(question)}
${question.address ? consent(question.address) : formOf(question)}
${actionsOf(question)}
</form>`,
  };
}

const entry = (term: string, ...details: Part[]): Markup =>
  markup`<div><dt>${term}</dt>${details.map((detail) => (detail === null ? null : markup`<dd>${detail}</dd>`))}</div>`;

const whatRuns = ({ tool, arguments: args }: PageQuestion): Markup =>
  entry(
    'What runs',
    markup`The tool <code>${reveal(tool.name)}</code>${args === '{}' ? ', without arguments' : ' with'}`,
    args === '{}' ? null : markup`<pre>${reveal(args)}</pre>`,
  );

const whoAsks = ({ server, requester }: PageQuestion): Markup =>
  entry(
    'Who asks',
    markup`The MCP server <strong>${reveal(server)}</strong>`,
    markup`<span class="soft">You are asked as ${reveal(`${requester.subject} (${sayVerification(requester)})`)}.</span>`,
  );

const why = ({ message, reason }: PageQuestion): Markup =>
  entry(
    'Why',
    markup`<p class="read">${reveal(message)}</p>`,
    reason === null
      ? null
      : markup`<p class="soft">The agent’s own words, which nobody has checked:</p><blockquote>${reveal(reason)}</blockquote>`,
  );

const rule = ({ deadlineAt, now }: PageQuestion): Markup =>
  entry(
    'Until when',
    markup`<time datetime="${new Date(deadlineAt).toISOString()}">${readable(deadlineAt)}</time>, in ${roughly(deadlineAt - now)}.
Only you can answer; without an answer it ends as not done.`,
  );

const readable = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function roughly(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 90) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

function wrongSummary({ form }: PageQuestion): Markup | null {
  const wrong = (form?.fields ?? []).flatMap(({ label, error }, index) => (error ? [{ label, error, index }] : []));
  if (wrong.length === 0) return null;
  const lines = wrong.map(
    ({ label, error, index }) => markup`<li><a href="#${fieldId(index)}">${reveal(label)}</a>: ${error}</li>`,
  );
  return markup`<div class="wrong" role="alert">
<h2>Nothing was sent yet</h2>
<p>What you typed is kept${form?.fields.some(({ isSecret }) => isSecret) ? ', except secrets' : ''}. Please look at:</p>
<ul>${lines}</ul>
</div>`;
}

function formOf({ form }: PageQuestion): Markup | null {
  if (!form) return null;
  return markup`${form.title ? markup`<h2>${reveal(form.title)}</h2>` : null}
${form.description ? markup`<p class="lines">${reveal(form.description)}</p>` : null}
${form.fields.map(renderField)}`;
}

const consent = (address: PageAddress): Markup =>
  markup`<div class="field">
<p class="soft">You will leave Assentry for</p>
<p class="host">${address.host}</p>
${
  address.unicodeHost === null
    ? null
    : markup`<p class="notice">This name is written in characters that may look like others: it reads as
<bdi>${reveal(address.unicodeHost)}</bdi>. Go there only if you expected exactly this name.</p>`
}
${address.isSecure ? null : markup`<p class="notice">The connection there is not encrypted.</p>`}
<p class="soft">The whole address</p>
<pre>${reveal(address.url)}</pre>
</div>`;

/** Three ways out of one weight; the accepting one comes first, so that Enter in a field sends the form. */
function actionsOf({ server, address, form }: PageQuestion): Markup {
  const accept = address ? `Agree to go to ${address.host}` : form?.fields.length ? 'Send answer' : 'Accept';
  const consequence = address
    ? 'Agreeing shows you the link; the tool goes on once the other side reports the result.'
    : markup`Your answer goes to ${reveal(server)}, and the tool goes on with it.`;
  return markup`<p class="soft">${consequence} Decline says no. Cancel ends the question without an answer.</p>
<div class="actions">
<button name="action" value="accept">${accept}</button>
<button name="action" value="decline">Decline</button>
<button name="action" value="cancel">Cancel</button>
</div>`;
}
