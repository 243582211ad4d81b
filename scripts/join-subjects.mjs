// `npm run build:server` ends with this: what one subject imports of another (`#people/…`, see "imports" in package.json)
// gets its relative address in dist, so that packages are made of compiled files alone.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const output = 'dist';
const imported = /(\b(?:from|import)\s*\(?\s*['"])#([^'"]+)(?=['"])/g;

for (const { name, parentPath } of readdirSync(output, { recursive: true, withFileTypes: true })) {
  if (!/\.(?:js|d\.ts)$/.test(name) || parentPath.startsWith(path.join(output, 'web'))) continue;
  const file = path.join(parentPath, name);
  const text = readFileSync(file, 'utf8');
  const joined = text.replaceAll(imported, (_, start, door) => `${start}${addressOf(door, parentPath)}`);
  if (joined !== text) writeFileSync(file, joined);
}

function addressOf(door, from) {
  const address = path.relative(from, path.join(output, `${door}.js`)).replaceAll('\\', '/');
  return address.startsWith('.') ? address : `./${address}`;
}
