import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './scripts/compress-assets.mjs';
import { oneLanguage } from './scripts/one-language.mjs';
import { preloadSignedIn } from './scripts/preload-signed-in.mjs';

export default defineConfig({
  root: 'web',
  // The server puts the nonce of each answer here.
  html: { cspNonce: '__NONCE__' },
  // The package names only its development build, with warnings that no one here reads.
  resolve: { alias: { 'react-router': path.resolve('node_modules/react-router/dist/production/index.mjs') } },
  plugins: [react(), oneLanguage(), preloadSignedIn(), compressAssets()],
  builder: {},
  // What no language changes is the same file of both builds.
  environments: { german: { consumer: 'client', build: { emptyOutDir: false } } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Nothing inline: the console's content security policy allows files of its own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // In one file with zod, so that it has its setting before any schema is made.
            { name: 'zod', test: /node_modules\/zod\/|without-eval/, priority: 3 },
            // Each with all that it imports, for one file compresses better than twenty.
            { name: 'first', test: /web\/src\/main\.tsx$/, priority: 2 },
            { name: 'signed-in', test: /web\/src\/signed-in\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
});
