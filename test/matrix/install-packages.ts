import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const cache = path.resolve('node_modules', '.cache', 'packages');

/**
 * Installs packages of others (`name@version`) into a folder of their own, which it returns, in no lock file; those of
 * `latest` anew each time. Not all into one: npm takes minutes to settle what servers of many makers need together.
 */
export function installPackages(...packages: string[]): string {
  const folder = path.join(
    cache,
    packages
      .join('+')
      .replaceAll(/[^\w.@+-]/g, '_')
      .slice(0, 200),
  );
  const done = path.join(folder, 'installed');
  if (existsSync(done) && !packages.some((it) => it.endsWith('@latest'))) return folder;
  mkdirSync(folder, { recursive: true });
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, ...packages];
  const { status, stderr } = spawnSync('npm', words, { encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`npm could not install ${packages.join(' ')}: ${stderr}`);
  writeFileSync(done, '');
  return folder;
}

/** The program of a package that is installed alone. */
export function programOf(spec: string): string {
  const home = path.join(installPackages(spec), 'node_modules', spec.slice(0, spec.lastIndexOf('@')));
  const { bin } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  return path.join(home, typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? ''));
}
