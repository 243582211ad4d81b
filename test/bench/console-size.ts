import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What a browser loads before a page of the console stands. Bytes. */
export interface PageSize {
  files: number;
  plain: number;
  gzip: number;
  brotli: number;
}

export interface ConsoleSize {
  signIn: PageSize;
  /** Of a person who is signed in: the page, the frame of all pages, and the schemas that its answers are checked by. */
  inbox: PageSize;
}

/** Adds up what the built page of a language names and what that imports; its inbox comes later, by its own name. */
export function measureConsole(directory: string, page = 'index.html'): ConsoleSize {
  const first = filesOf(directory, page);
  const assets = readdirSync(path.join(directory, 'assets'));
  const named = first.map((file) => readFileSync(path.join(directory, file), 'utf8')).join('');
  const later = assets.filter((name) => /^signed-in-.*\.(?:js|css)$/.test(name));
  const used = later.filter((name) => named.includes(name)).map((name) => `assets/${name}`);
  const measure = (files: string[]): PageSize => sizeOf(directory, page, withImports(directory, files));
  return { signIn: measure(first), inbox: measure([...first, ...used]) };
}

/** The scripts and styles that the page itself names. */
export const filesOf = (directory: string, page: string): string[] =>
  [...readFileSync(path.join(directory, page), 'utf8').matchAll(/assets\/[^"]+\.(?:js|css)/g)].map(([name]) => name);

/** With every script that these import at once. */
function withImports(directory: string, files: string[]): string[] {
  const all = new Set(files);
  for (const file of all) {
    const code = file.endsWith('.js') ? readFileSync(path.join(directory, file), 'utf8') : '';
    for (const [, name] of code.matchAll(/(?:from|\bimport)"\.\/([^"]+)"/g)) all.add(`assets/${name}`);
  }
  return [...all];
}

/** The page itself is made for each visit, so it travels as it is. */
function sizeOf(directory: string, page: string, files: string[]): PageSize {
  const own = statSync(path.join(directory, page)).size;
  const total = (suffix: string) =>
    files.reduce((sum, file) => sum + statSync(path.join(directory, `${file}${suffix}`)).size, own);
  return { files: files.length + 1, plain: total(''), gzip: total('.gz'), brotli: total('.br') };
}
