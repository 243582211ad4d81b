import { existsSync, readFileSync } from 'node:fs';

/** The folder of the package, above this file wherever it is compiled or bundled to. */
export const packageRoot = folderWith('package.json', new URL('.', import.meta.url));

function folderWith(file: string, folder: URL): URL {
  return existsSync(new URL(file, folder)) ? folder : folderWith(file, new URL('..', folder));
}

const manifest = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string;
};

export const version: string = manifest.version;
