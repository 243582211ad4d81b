import { readFileSync } from 'node:fs';

/** src and dist both lie one level below the package. */
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const version: string = manifest.version;
