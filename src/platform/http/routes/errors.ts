import type { Request, Response } from 'express';
import { errorsWords } from '#locales/errors';
import { asPage, pageHandler, sendPage } from '#requests/pages/routes/credentials';
import { markup, wordsFor, type Markup, type PageParts, type PageWords } from '#requests/pages/routes/frame';
import { isProblemCode, Problem, type ProblemCode } from '../../model/problem.ts';
import { problemStatus } from '../contract/problem.ts';
import { routes } from '../contract/openapi.ts';
import type { ApiParts } from './parts.ts';
import { expressPath } from './route.ts';

/** Serves the page to which the `type` of each problem leads. */
export function serveErrorPages(parts: ApiParts): void {
  parts.app.use('/errors', asPage);
  parts.app.get(expressPath(routes.showError), pageHandler(parts, showError));
}

async function showError(_parts: ApiParts, request: Request, response: Response): Promise<void> {
  const { code } = request.params;
  if (!isProblemCode(code)) throw new Problem('not-found');
  sendPage(response, 200, wordsFor(request), (words) => errorPage(code, words));
}

function errorPage(code: ProblemCode, words: PageWords): PageParts {
  const { page, causes } = errorsWords[words.language];
  return {
    title: `${page.title} ${code}`,
    body: markup`<h1>${page.title} <code>${code}</code></h1>
<dl>
<div><dt>${page.cause}</dt><dd>${withCode(causes[code])}</dd></div>
<div><dt>${page.do}</dt><dd>${words.shared.problems[code]}</dd></div>
<div><dt>${page.status}</dt><dd>${problemStatus[code]}</dd></div>
</dl>`,
  };
}

/** Names between backticks, as code. */
const withCode = (sentence: string): Markup[] =>
  sentence.split('`').map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
