import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

test.each(['package-lock.json', 'test/support/node22/package-lock.json'])('%s names no address', (file) => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { resolved?: string }> };
  expect(Object.keys(packages).length).toBeGreaterThan(1);
  expect(Object.keys(packages).filter((name) => packages[name]?.resolved !== undefined)).toEqual([]);
});

interface Locked {
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}
interface Listed {
  name: string;
  version: string;
  hashes: { alg: string }[];
}
const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');
const nameOf = (place: string): string => place.replace(/^.*node_modules\//, '');

test('CF-02 no package runs a script when it is installed: each that has one is refused by name', () => {
  const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>('package.json');
  const scripted = Object.keys(packages).filter((place) => packages[place]?.hasInstallScript);
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(scripted.map(nameOf))].toSorted());
  expect(Object.values(allowScripts).filter(Boolean)).toEqual([]);
  expect(readFileSync('.npmrc', 'utf8')).toContain('strict-allow-scripts=true');
});

test.each(['Dockerfile', '.ci/run', '.github/workflows/release.yml'])('CF-02 %s installs without scripts', (file) => {
  const installs = readFileSync(file, 'utf8').match(/npm (ci|install)\b.*/g) ?? [];
  expect(installs.filter((line) => !line.includes('--ignore-scripts') && !line.startsWith('npm ci runs'))).toEqual([]);
  expect(installs.length).toBeGreaterThan(0);
});

test('CF-02 the bill of materials lists what an installation brings along, each with its digest', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-bill-'));
  const file = path.join(folder, 'bill.json');
  try {
    execFileSync(process.execPath, ['scripts/bill-of-materials.mjs', file], { stdio: 'ignore' });
    const bill = read<{ bomFormat: string; metadata: { component: { name: string } }; components: Listed[] }>(file);
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'assentry']);
    const locked = Object.entries(packages).filter(([place, { dev }]) => place !== '' && !dev);
    const names = locked.map(([place, { version }]) => `${nameOf(place)}@${version}`);
    expect(names.length).toBeGreaterThan(100);
    expect(bill.components.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(
      [...new Set(names)].toSorted(),
    );
    expect(bill.components.filter(({ hashes }) => hashes[0]?.alg !== 'SHA-512')).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('CF-02 a release is published with its provenance', () => {
  const publishes = readFileSync('.github/workflows/release.yml', 'utf8').match(/npm publish.*/g) ?? [];
  expect(publishes).toHaveLength(2);
  expect(publishes.filter((line) => !line.includes('--provenance'))).toEqual([]);
});
