// `npm run build:server` ends with this: the commands become a bundle, with a chunk for what several of them share. Of
// hundreds of modules, Node.js would find and compile each by itself, for every session of `wrap` and every call of `hook`.
import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const commands = 'dist/cli';
const draft = 'dist/commands';

await build({
  configFile: false,
  logLevel: 'warn',
  ssr: { external: true, noExternal: ['zod'] }, // of its hundred modules, commands use a few
  build: {
    ssr: `${commands}/main.js`,
    outDir: draft,
    target: 'node20',
    copyPublicDir: false,
    rolldownOptions: { output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' } },
  },
});
copyFileSync(new URL('../node_modules/zod/LICENSE', import.meta.url), `${draft}/zod.LICENSE`);
rmSync(commands, { recursive: true });
renameSync(draft, commands);
// No part of the package but the bundle has a use for the commands of each subject.
for (const { name, parentPath } of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  const file = path.join(parentPath, name);
  if (/[\\/]command(?:\.js|\.d\.ts)?$/.test(file)) rmSync(file, { recursive: true, force: true });
}
