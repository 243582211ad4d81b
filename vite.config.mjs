import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './scripts/compress-assets.mjs';

export default defineConfig({
  root: 'web',
  // The server puts the nonce of each answer here.
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), compressAssets()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Nothing inline: the console's content security policy allows files of its own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In one file with zod, so that it has its setting before any schema is made.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'zod', test: /node_modules\/zod\/|without-eval/ }] } },
    },
  },
});
