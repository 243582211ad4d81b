/** What the first page loads after itself: the frame with the inbox, and the schemas that its answers are checked by. */
const later = ['signed-in', 'first-answers'];

/**
 * Makes a second form of the page, for browsers with a session: it names at once what the first form would only find
 * out when its script has run, so that all of it travels together.
 */
export const preloadSignedIn = () => ({
  name: 'preload-signed-in',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = Object.values(bundle).find(({ fileName }) => /^index\.(?:de\.)?html$/.test(fileName));
      const chunks = later.map((name) =>
        Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name),
      );
      const scripts = new Set(chunks.map(({ fileName }) => fileName));
      for (const file of scripts) for (const imported of bundle[file].imports) scripts.add(imported);
      const styles = chunks.flatMap(({ viteMetadata }) => [...viteMetadata.importedCss]);
      const links = [
        ...Array.from(scripts, (file) => `<link rel="modulepreload" crossorigin href="/${file}" nonce="__NONCE__">`),
        ...styles.map((file) => `<link rel="preload" as="style" crossorigin href="/${file}" nonce="__NONCE__">`),
      ].filter((link, at, all) => all.indexOf(link) === at && !page.source.includes(/href="([^"]+)"/.exec(link)[1]));
      const source = page.source.replace('</head>', `  ${links.join('\n    ')}\n  </head>`);
      this.emitFile({ type: 'asset', fileName: page.fileName.replace('index.', 'signed-in.'), source });
    },
  },
});
