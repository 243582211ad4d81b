// `npm start` runs this: it builds only if a source is not the one that was built last.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folders = ['locales', 'src', 'web', 'prisma', 'scripts'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'vite.config.mjs'];
const stamp = 'node_modules/.cache/assentry-built'; // not in dist, which is packed

execFileSync(process.execPath, ['scripts/prepare.mjs', '--if-missing'], { stdio: 'inherit' });
const state = stateOf([...folders.flatMap(filesIn), ...files]);
if (lastBuilt() !== state) {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

/** Names, times and sizes: a file that is gone changes it as well. */
function stateOf(paths) {
  const lines = paths.map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  });
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name: file }) => path.join(parentPath, file));
}

/** Null if there is no build, or if one of its two halves is gone. */
function lastBuilt() {
  try {
    for (const half of ['dist/cli/main.js', 'dist/web/index.html']) statSync(half);
    return readFileSync(stamp, 'utf8');
  } catch {
    return null;
  }
}
