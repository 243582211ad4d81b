import { compileLocales } from './locales.mjs';

/** The environments in which Vite builds the console, one for each language. Its own name for the first is client. */
export const pages = {
  client: { language: 'en', file: 'index.html' },
  german: { language: 'de', file: 'index.de.html' },
  french: { language: 'fr', file: 'index.fr.html' },
};

/** The French words that only the console has; what the server says as well has plain spaces. */
const frenchWords = /\/src\/locales\/(?!(?:forms|policies-clauses|refusals|texts)\.)[a-z-]+\.fr\.ts$/;

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

/** Compiles the words before a build, and again when one changes while Vite serves the console. */
export const compiledWords = () => ({
  name: 'compiled-words',
  buildStart() {
    const faults = compileLocales();
    if (faults.length > 0) this.error(faults.join('\n'));
  },
  configureServer({ config, watcher }) {
    watcher.add('locales');
    watcher.on('change', (file) => {
      if (file.includes('/locales/') && file.endsWith('.json'))
        for (const fault of compileLocales()) config.logger.error(fault);
    });
  },
});

/** Lets a built page hold the words of one language only: where words of any language are imported, it gets its own. */
export const oneLanguage = () => ({
  name: 'one-language',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer, options) {
    const { language } = pages[this.environment.name];
    const own = source.replace(/^((?:#locales|\.)\/[a-z-]+)\.(?:en|de|fr)(\.ts)?$/, `$1.${language}$2`);
    return own === source ? null : this.resolve(own, importer, { ...options, skipSelf: true });
  },
  transform(code, file) {
    if (!frenchWords.test(file)) return null;
    return { code: withFrenchSpaces(code, (text) => this.parse(text, { lang: 'ts' })), map: null };
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
