// Writes the words of all languages and the Prisma client; each script that needs them runs this before. It is no
// `prepare` of npm, so that those who install the package are not asked to allow a script. Without dev dependencies there
// is nothing to write.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { compileLocales } = await import('./locales.mjs').catch((error) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return {};
  throw error;
});
const faults = compileLocales?.() ?? [];
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exit(1);
}

const writtenAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isCurrent = writtenAt('src/platform/database/generated/prisma/client.ts') > writtenAt('prisma/schema.prisma');
if (process.argv.includes('--if-missing') && isCurrent) process.exit(0);

function prismaCli() {
  try {
    const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
    return path.join(path.dirname(manifest), 'build', 'index.js');
  } catch {
    return undefined;
  }
}

const cli = prismaCli();
if (!cli) process.exit(0);
const env = { ...process.env, CHECKPOINT_DISABLE: '1' };
const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
  encoding: 'utf8',
  env,
});
if (status !== 0) process.stderr.write(stdout + stderr);
process.exit(status ?? 1);
