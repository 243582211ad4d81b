import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './scripts/compress-assets.mjs';
import { compiledWords, oneLanguage, pages } from './scripts/one-language.mjs';
import { askEarly } from './scripts/ask-early.mjs';
import { plainSchemas } from './scripts/plain-schemas.mjs';

export default defineConfig({
  root: 'web',
  // The server puts the nonce of each answer here.
  html: { cspNonce: '__NONCE__' },
  // The package names only its development build, with warnings that no one here reads.
  resolve: { alias: { 'react-router': path.resolve('node_modules/react-router/dist/production/index.mjs') } },
  plugins: [react(), compiledWords(), oneLanguage(), plainSchemas(), askEarly(), compressAssets()],
  builder: {},
  // What no language changes is the same file of all builds.
  environments: Object.fromEntries(
    Object.keys(pages)
      .filter((name) => name !== 'client')
      .map((name) => [name, { consumer: 'client', build: { emptyOutDir: false } }]),
  ),
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Nothing inline: the console's content security policy allows files of its own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false }, // how long a slow machine took is no news to who starts Assentry
      // Packages say so of files for servers, of which there are none here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      output: {
        codeSplitting: {
          groups: [
            // Each with all that it imports: on a slow network every file costs, and one compresses better than twenty.
            { name: 'first', test: /web\/src\/main\.tsx$|rolldown\/runtime/, priority: 5 },
            {
              name: 'signed-in',
              test: /web\/src\/signed-in\.tsx$|first-answers|passkey(?:s|-sign-in)?\.ts$/,
              priority: 2,
            },
            {
              name: 'request',
              test: /web\/src\/requests\/decide\/RequestPage\.tsx$|requests\/machine\/contract\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
