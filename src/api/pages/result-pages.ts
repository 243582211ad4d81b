import type { ProblemDocument } from '../../contract/http/problem.ts';
import type { PageAddress, PageQuestion } from '../../engine/pages/open-page.ts';
import type { Action } from '../../model/elicitation.ts';
import type { PageParts } from './frame.ts';
import { markup, reveal } from './markup.ts';

/** What an answer came to. */
export const answeredPage = ({ server }: PageQuestion, action: Action, token: string): PageParts => ({
  title: headings[action],
  body: markup`<h1>${headings[action]}</h1>
<p>${reveal(server)} ${sentences[action]} You can close this page and go back to your MCP client.</p>
<p><a href="/e/${token}/receipt" download>Keep a receipt</a>, a file that proves your answer to anybody who has the key of this
installation.</p>`,
});

const headings = { accept: 'Your answer was sent', decline: 'You declined', cancel: 'You cancelled' };
const sentences = {
  accept: 'has it, and the tool goes on.',
  decline: 'was told that you said no.',
  cancel: 'was told that you gave no answer.',
};

/** The link out, shown only to whoever agreed to go there just now. */
export const leavingPage = (address: PageAddress): PageParts => ({
  title: `Go to ${address.host}`,
  body: markup`<h1>Go to ${address.host}</h1>
<p>The tool goes on once the other side reports the result. You can close this page when you are done there.</p>
<pre>${reveal(address.url)}</pre>
<p><a class="button" href="${address.url}" rel="noopener noreferrer">Open ${address.host}</a></p>`,
});

/** For people whom a service sends back; the same for every token, for it looks at none. */
export const callbackPage: PageParts = {
  title: 'You can close this page',
  body: markup`<h1>You can close this page</h1>
<p>There is nothing to do here: the service reports the result by itself. Go back to your MCP client to see what came of it.</p>`,
};

/** Says what happened and what to do. All that may be wrong with a link reads the same. */
export function troublePage({ code, status, title, detail, errorId }: ProblemDocument): PageParts {
  if (code === 'token-invalid' || code === 'INVALID_INPUT' || status === 404) return invalidLinkPage;
  return {
    title,
    body: markup`<h1>${title}</h1>
${detail ? markup`<p>${detail}</p>` : null}
<p>Open the link again to go on. If this happens again, tell whoever runs Assentry this number: <code>${errorId}</code></p>`,
  };
}

const invalidLinkPage: PageParts = {
  title: 'This link is not valid',
  body: markup`<h1>This link is not valid</h1>
<p>It may have been used, it may have expired, or a part of it may be missing. Nothing was changed by opening it.</p>
<p>If you have just answered, your answer stands, and your MCP client shows what came of it. If not, let the tool ask
again.</p>`,
};
