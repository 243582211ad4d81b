// `npm run pack:sdk -- FOLDER`: the package for authors of MCP servers, made of the same compiled files as the main one.
// It has the doors below and what they import, so that a server installs neither PostgreSQL nor a console.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const doors = ['./client', './mcp', './mcp-v2', './host', './agents', './testing'];
const [target = '.'] = process.argv.slice(2);
const folder = 'dist-sdk';
/** As the compiler writes it: `from '…'`, `import '…'` and `import('…')`. */
const imported = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const { files, packages } = reach(doors.flatMap((door) => Object.values(manifest.exports[door])));
rmSync(folder, { recursive: true, force: true });
for (const file of files) copy(file);
copy('LICENSE');
writeFileSync(path.join(folder, 'README.md'), readme());
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(sdkManifest(), null, 2)}\n`);
const pack = ['pack', '--json', '--pack-destination', path.resolve(target)];
const [{ filename, unpackedSize }] = JSON.parse(execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }));
console.log(`Packed ${filename}: ${(unpackedSize / 1e6).toFixed(2)} MB installed, ${files.size} files.`);

/** The compiled files that these import, with their types, and the packages. */
function reach(entries) {
  const files = new Set();
  const packages = new Set();
  const walk = (file) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(imported)) {
      if (name.startsWith('.')) walk(resolve(file, name));
      else if (!name.startsWith('node:')) packages.add(packageOf(name));
    }
  };
  for (const entry of entries) walk(path.normalize(entry));
  return { files, packages };
}

/** A module's types import types. */
function resolve(file, name) {
  const place = path.join(path.dirname(file), name);
  return file.endsWith('.d.ts') ? place.replace(/\.(?:ts|js)$/, '.d.ts') : place;
}

function packageOf(name) {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

function copy(file) {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  cpSync(file, place);
}

/** An author has one of the two SDKs, and each brings zod; so they are peers. */
function sdkManifest() {
  const { version, license, type, engines, dependencies, peerDependencies, exports } = manifest;
  const isPeer = (name) => name.startsWith('@modelcontextprotocol/') || name === 'zod';
  const known = { ...dependencies, ...peerDependencies };
  const pick = (names, write) => Object.fromEntries(names.sort().map((name) => [name, write(known[name])]));
  const peers = [...packages].filter(isPeer);
  return {
    name: '@assentry/sdk',
    version,
    description: 'For authors of MCP servers: holds a tool call until the right person has answered.',
    license,
    type,
    engines,
    exports: Object.fromEntries(doors.map((door) => [door, exports[door]])),
    files: ['dist'],
    dependencies: pick(
      [...packages].filter((name) => !isPeer(name)),
      (range) => range,
    ),
    peerDependencies: pick(peers, (range) => `^${range.replace('^', '')}`),
    peerDependenciesMeta: Object.fromEntries(
      peers.filter((name) => name !== 'zod').map((name) => [name, { optional: true }]),
    ),
  };
}

function readme() {
  return `# @assentry/sdk

Holds an MCP server's tool call until the right person has answered. It is the library of
[Assentry](https://www.npmjs.com/package/assentry) without the server, which runs elsewhere.

\`\`\`ts
import { assentry } from '@assentry/sdk/mcp'; // 'mcp-v2' for @modelcontextprotocol/server

const tools = assentry(mcp); // ASSENTRY_URL and ASSENTRY_API_KEY say where to ask
tools.registerTool('delete_account', { inputSchema, approval: true }, async ({ id }) => remove(id));
\`\`\`
`;
}
