import { readFileSync } from 'node:fs';

/**
 * The forms of the page, and what each loads at once because its first script would ask for it next: behind the sign-in
 * the schemas of answers with the frame and the inbox, and the page of a request.
 */
const forms = {
  index: [],
  'signed-in': ['signed-in'],
  request: ['signed-in', 'request'],
};

const early = readFileSync(new URL('../web/src/ask-early.js', import.meta.url), 'utf8');

/** Makes the forms of the page, each with a script that asks for its data while its code is on its way. */
export const askEarly = () => ({
  name: 'ask-early',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = Object.values(bundle).find(({ fileName }) => /^index\.(?:[a-z]{2}\.)?html$/.test(fileName));
      const plain = page.source;
      for (const [form, names] of Object.entries(forms)) {
        const links = linksOf(bundle, names).filter((link) => !plain.includes(/href="([^"]+)"/.exec(link)[1]));
        const source = plain
          .replace('</title>', `</title>\n    <script nonce="__NONCE__">${minified(early)}</script>`)
          .replace('</head>', `  ${links.join('\n    ')}\n  </head>`);
        if (form === 'index') page.source = source;
        else this.emitFile({ type: 'asset', fileName: page.fileName.replace('index.', `${form}.`), source });
      }
    },
  },
});

function linksOf(bundle, names) {
  const chunks = names.map((name) => Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name));
  const scripts = new Set(chunks.map(({ fileName }) => fileName));
  for (const file of scripts) for (const imported of bundle[file].imports) scripts.add(imported);
  const styles = new Set(chunks.flatMap(({ viteMetadata }) => [...viteMetadata.importedCss]));
  return [
    ...Array.from(scripts, (file) => `<link rel="modulepreload" crossorigin href="/${file}" nonce="__NONCE__">`),
    ...Array.from(styles, (file) => `<link rel="preload" as="style" crossorigin href="/${file}" nonce="__NONCE__">`),
  ];
}

/** Without comments and indentation. */
const minified = (code) =>
  code
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim();
