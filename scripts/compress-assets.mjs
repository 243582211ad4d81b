import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Writes each text of the built console a second and third time, as `.br` and `.gz`: compressed once, served often. */
export const compressAssets = () => ({
  name: 'compress-assets',
  apply: 'build',
  async writeBundle({ dir }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css|svg)$/.test(name));
    await Promise.all(
      texts.map(async (name) => {
        const file = path.join(dir, name);
        const content = await readFile(file);
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        await writeFile(`${file}.br`, brotliCompressSync(content, quality));
        await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
      }),
    );
  },
});
