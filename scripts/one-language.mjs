/** The environments in which Vite builds the console, one for each language. Its own name for the first is client. */
export const pages = {
  client: { language: 'en', file: 'index.html', catalogue: 'english' },
  german: { language: 'de', file: 'index.de.html', catalogue: 'german' },
  french: { language: 'fr', file: 'index.fr.html', catalogue: 'french' },
};

/** English sentences of errors by their codes; a page of another language takes its own from its catalogue. */
const english = /\/src\/(?:platform\/model\/problem|requests\/inbox\/contract\/refusal)\.ts$/;

const frenchWords = /\/web\/src\/.*french[a-z-]*\.ts$/;

/**
 * French sentences without a value from outside get the no-break spaces that French has inside guillemets and before
 * high punctuation. Sentences with values are left: what people are shown of others has each hidden character spelled out.
 */
export function withFrenchSpaces(code, parse) {
  const places = [];
  collectTexts(parse(code), places);
  const spaced = (text) => text.replaceAll(/ (?=[;:!?»%])|(?<=«) /g, '\u202f');
  return places
    .toSorted((first, second) => second.start - first.start)
    .reduce((text, { start, end }) => text.slice(0, start) + spaced(text.slice(start, end)) + text.slice(end), code);
}

function collectTexts(node, places) {
  if (node.type === 'Literal' && typeof node.value === 'string') places.push(node);
  for (const part of Object.values(node).flat()) if (typeof part?.type === 'string') collectTexts(part, places);
}

/**
 * Lets a built page hold the words of one language only. Where a `words.ts` imports the catalogues of all languages,
 * it gets those of the page's own.
 */
export const oneLanguage = () => ({
  name: 'one-language',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer, options) {
    if (!importer?.endsWith('words.ts')) return null;
    const { catalogue } = pages[this.environment.name];
    const own = source.replace(/\/(?:english|german|french)([a-z-]*\.ts)$/, `/${catalogue}$1`);
    return own === source ? null : this.resolve(own, importer, { ...options, skipSelf: true });
  },
  transform(code, file) {
    if (frenchWords.test(file))
      return { code: withFrenchSpaces(code, (text) => this.parse(text, { lang: 'ts' })), map: null };
    if (pages[this.environment.name].catalogue === 'english' || !english.test(file)) return null;
    const from = code.indexOf('Sentences = {');
    const to = code.indexOf('\n}', from);
    const blank = code.slice(from, to).replace(/(:\s*)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?=,(?:\n|$))/g, "$1''");
    return { code: code.slice(0, from) + blank + code.slice(to), map: null };
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const { language, file } = pages[this.environment.name];
      const page = bundle['index.html'];
      page.source = page.source.replace(
        '<html lang="en" translate="no">',
        `<html lang="${language}" translate="no" data-language="${language}">`,
      );
      page.fileName = file;
    },
  },
});
