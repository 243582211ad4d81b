import { transformFile } from '@swc/core';
import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ROOTS = ['src', 'web/src', 'examples', 'test'];
// What compiled files look for above themselves.
const LENT = ['dist', 'prisma', 'test/bench/peers/node_modules'];
const EXTENSION = /\.tsx?$/;
// Node.js loads no styles: a class is called as in its file.
const STYLES = /\.css$/;
const styles = 'export default new Proxy({}, { get: (_, name) => name });\n';
const output = path.resolve('.compiled');
const own = statSync(import.meta.filename); // what these lines write changes with them

/** Where this source is as JavaScript. */
export const compiled = (source) =>
  path.join(output, path.relative('.', source).replace(EXTENSION, '.js').replace(STYLES, '.css.js'));

/** Translates what has changed since the last run; types are `npm run check`'s business. */
export async function compileAll() {
  await mkdir(output, { recursive: true });
  for (const name of LENT) await lend(name);
  await writeManifest();
  const sources = (await Promise.all(ROOTS.map(list))).flat();
  const targets = new Set(sources.flatMap((source) => [compiled(source), `${compiled(source)}.map`]));
  const known = (await Promise.all(ROOTS.map((root) => list(path.join(output, root))))).flat();
  await Promise.all(known.filter((file) => !targets.has(file)).map((file) => rm(file))); // of a source that is gone
  await Promise.all(sources.map(compile));
}

async function lend(name) {
  const link = path.join(output, name);
  if (existsSync(link)) return;
  await rm(link, { force: true });
  await mkdir(path.dirname(link), { recursive: true });
  await symlink(path.relative(path.dirname(link), name), link);
}

/** What one subject imports of another (`#people/…`) is here the compiled file. */
async function writeManifest() {
  const manifest = JSON.parse(await readFile('package.json', 'utf8'));
  const toCompiled = ([door, address]) => [door, address.replace(EXTENSION, '.js')];
  const imports = Object.fromEntries(Object.entries(manifest.imports).map(toCompiled));
  await writeFile(path.join(output, 'package.json'), JSON.stringify({ ...manifest, imports }));
}

async function list(directory) {
  const found = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function compile(source) {
  const target = compiled(source);
  const [from, to] = await Promise.all([stat(source), stat(target).catch(() => undefined)]);
  if (to && to.mtimeMs > Math.max(from.mtimeMs, own.mtimeMs)) return;
  await mkdir(path.dirname(target), { recursive: true });
  if (STYLES.test(source)) return writeFile(target, styles);
  if (!EXTENSION.test(source)) return copyFile(source, target); // files that tests read
  const { code, map } = await transformFile(source, {
    swcrc: false,
    sourceMaps: true,
    sourceFileName: path.relative(path.dirname(target), source),
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', tsx: source.endsWith('x'), decorators: true },
      transform: { decoratorVersion: '2023-11', react: { runtime: 'automatic' }, verbatimModuleSyntax: true },
      rewriteRelativeImportExtensions: true,
    },
  });
  const globals = path.relative(path.dirname(target), path.resolve('test/runner/globals.mjs'));
  const text = code
    .replace(/(['"])@jest\/globals\1/, JSON.stringify(globals))
    .replaceAll(/\.css(?=['"];?$)/gm, '.css.js');
  await writeFile(`${target}.map`, map);
  await writeFile(target, `${text}\n//# sourceMappingURL=${path.basename(target)}.map\n`);
}
