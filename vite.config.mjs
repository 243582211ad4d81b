import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './scripts/compress-assets.mjs';

export default defineConfig({
  root: 'web',
  plugins: [react(), compressAssets()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Nothing inline: the console's content security policy allows files of its own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
