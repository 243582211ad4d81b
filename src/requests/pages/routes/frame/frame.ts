import type { Language } from '#platform/text/language';
import { markup, type Markup } from './markup.ts';
import { stylesheet } from './stylesheet.ts';

export interface PageParts {
  title: string;
  body: Markup;
}

/** A whole document. It needs no script; its one sheet runs under the nonce of the answer it is part of. */
export const renderPage = ({ title, body }: PageParts, language: Language, nonce: string): string =>
  markup`<!doctype html>
<html lang="${language}" translate="no">
<head>
<meta charset="utf-8">
<title>${title} · Assentry</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style nonce="${nonce}">${stylesheet}</style>
</head>
<body>
<header><p>Assentry</p></header>
<main>
${body}
</main>
</body>
</html>
`.text;
